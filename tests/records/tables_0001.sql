CREATE TABLE syncpoint_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT syncpoint_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE syncpoint_notebooks (
	id INTEGER NOT NULL,
	student TEXT NOT NULL,
	assignment TEXT NOT NULL,
	notebook TEXT NOT NULL,
	graded_at DATETIME NOT NULL,
	engine TEXT NOT NULL,
	graders TEXT NOT NULL,
	kernel_start DOUBLE,
	kernel_busy DOUBLE,
	kernel_stop DOUBLE,
	total DOUBLE,
	peak_mib DOUBLE,
	result TEXT,
	CONSTRAINT pk_syncpoint_notebooks PRIMARY KEY (id),
	CONSTRAINT uq_syncpoint_notebooks_student UNIQUE (student, assignment, notebook)
);
CREATE TABLE syncpoint_incidents (
	id INTEGER NOT NULL,
	notebook_id INTEGER NOT NULL,
	kind TEXT NOT NULL,
	message TEXT NOT NULL,
	CONSTRAINT pk_syncpoint_incidents PRIMARY KEY (id),
	CONSTRAINT fk_syncpoint_incidents_notebook_id FOREIGN KEY(notebook_id) REFERENCES syncpoint_notebooks (id)
);
CREATE TABLE syncpoint_acts (
	id INTEGER NOT NULL,
	notebook_id INTEGER NOT NULL,
	kind TEXT NOT NULL,
	message TEXT NOT NULL,
	CONSTRAINT pk_syncpoint_acts PRIMARY KEY (id),
	CONSTRAINT fk_syncpoint_acts_notebook_id FOREIGN KEY(notebook_id) REFERENCES syncpoint_notebooks (id)
);
CREATE TABLE syncpoint_verdicts (
	id INTEGER NOT NULL,
	notebook_id INTEGER NOT NULL,
	exercise TEXT NOT NULL,
	points DOUBLE NOT NULL,
	max_points DOUBLE NOT NULL,
	notes JSON NOT NULL,
	CONSTRAINT pk_syncpoint_verdicts PRIMARY KEY (id),
	CONSTRAINT fk_syncpoint_verdicts_notebook_id FOREIGN KEY(notebook_id) REFERENCES syncpoint_notebooks (id)
);
CREATE TABLE syncpoint_titles (
	id INTEGER NOT NULL,
	text TEXT NOT NULL,
	CONSTRAINT pk_syncpoint_titles PRIMARY KEY (id)
);
CREATE TABLE syncpoint_outcomes (
	id INTEGER NOT NULL,
	verdict_id INTEGER NOT NULL,
	name TEXT NOT NULL,
	title_id INTEGER NOT NULL,
	hint TEXT NOT NULL,
	weight DOUBLE NOT NULL,
	passed BOOLEAN NOT NULL,
	message TEXT NOT NULL,
	detail TEXT NOT NULL,
	misconception TEXT NOT NULL,
	seconds DOUBLE NOT NULL,
	core BOOLEAN DEFAULT 0 NOT NULL,
	value BOOLEAN DEFAULT 0 NOT NULL,
	status TEXT DEFAULT 'failed' NOT NULL,
	CONSTRAINT pk_syncpoint_outcomes PRIMARY KEY (id),
	CONSTRAINT fk_syncpoint_outcomes_verdict_id FOREIGN KEY(verdict_id) REFERENCES syncpoint_verdicts (id),
	CONSTRAINT fk_syncpoint_outcomes_title_id FOREIGN KEY(title_id) REFERENCES syncpoint_titles (id)
);
CREATE TABLE syncpoint_answers (
	student TEXT NOT NULL,
	assignment TEXT NOT NULL,
	notebook TEXT NOT NULL,
	cell TEXT NOT NULL,
	text TEXT,
	digest TEXT NOT NULL,
	marked_text TEXT,
	marked_digest TEXT,
	CONSTRAINT pk_syncpoint_answers PRIMARY KEY (student, assignment, notebook, cell)
);
CREATE TABLE syncpoint_time_factors (
	student TEXT NOT NULL,
	factor DOUBLE NOT NULL,
	CONSTRAINT pk_syncpoint_time_factors PRIMARY KEY (student)
);
CREATE TABLE syncpoint_extensions (
	student TEXT NOT NULL,
	assignment TEXT NOT NULL,
	given DOUBLE NOT NULL,
	written DOUBLE NOT NULL,
	CONSTRAINT pk_syncpoint_extensions PRIMARY KEY (student, assignment)
);
CREATE TABLE syncpoint_languages (
	student TEXT NOT NULL,
	language TEXT NOT NULL,
	CONSTRAINT pk_syncpoint_languages PRIMARY KEY (student)
);
CREATE TABLE syncpoint_excuses (
	student TEXT NOT NULL,
	assignment TEXT NOT NULL,
	reason TEXT NOT NULL,
	CONSTRAINT pk_syncpoint_excuses PRIMARY KEY (student, assignment)
);
CREATE TABLE syncpoint_mark_changes (
	id INTEGER NOT NULL,
	at DATETIME NOT NULL,
	who TEXT NOT NULL,
	how TEXT NOT NULL,
	why TEXT NOT NULL,
	student TEXT NOT NULL,
	assignment TEXT NOT NULL,
	notebook TEXT NOT NULL,
	exercise TEXT NOT NULL,
	mark TEXT NOT NULL,
	"before" DOUBLE,
	"after" DOUBLE,
	CONSTRAINT pk_syncpoint_mark_changes PRIMARY KEY (id)
);
CREATE TABLE syncpoint_actor (
	id INTEGER NOT NULL,
	who TEXT NOT NULL,
	how TEXT NOT NULL,
	why TEXT NOT NULL,
	CONSTRAINT pk_syncpoint_actor PRIMARY KEY (id)
);
CREATE TABLE syncpoint_sent_marks (
	id INTEGER NOT NULL,
	student TEXT NOT NULL,
	assignment TEXT NOT NULL,
	place TEXT NOT NULL,
	points DOUBLE,
	comment TEXT NOT NULL,
	begun_at DATETIME NOT NULL,
	taken_at DATETIME,
	CONSTRAINT pk_syncpoint_sent_marks PRIMARY KEY (id)
);
CREATE TABLE syncpoint_regrade_requests (
	id INTEGER NOT NULL,
	asked_at DATETIME NOT NULL,
	student TEXT NOT NULL,
	assignment TEXT NOT NULL,
	exercise TEXT NOT NULL,
	question TEXT NOT NULL,
	answered_at DATETIME,
	answered_by TEXT,
	answer TEXT,
	CONSTRAINT pk_syncpoint_regrade_requests PRIMARY KEY (id)
);
CREATE TABLE syncpoint_hand_ins (
	id INTEGER NOT NULL,
	student TEXT NOT NULL,
	assignment TEXT NOT NULL,
	work TEXT NOT NULL,
	state TEXT NOT NULL,
	seen_at DATETIME NOT NULL,
	place INTEGER,
	tried_at DATETIME,
	done_at DATETIME,
	shown TEXT NOT NULL,
	note TEXT NOT NULL,
	CONSTRAINT pk_syncpoint_hand_ins PRIMARY KEY (id),
	CONSTRAINT uq_syncpoint_hand_ins_student UNIQUE (student, assignment, work)
);
CREATE TABLE syncpoint_tries (
	id INTEGER NOT NULL,
	student TEXT NOT NULL,
	assignment TEXT NOT NULL,
	digest TEXT NOT NULL,
	submitted_at DATETIME,
	graded_at DATETIME NOT NULL,
	submitter TEXT NOT NULL,
	points DOUBLE NOT NULL,
	max_points DOUBLE NOT NULL,
	counts BOOLEAN NOT NULL,
	chosen BOOLEAN NOT NULL,
	results JSON NOT NULL,
	exercises BLOB NOT NULL,
	CONSTRAINT pk_syncpoint_tries PRIMARY KEY (id),
	CONSTRAINT uq_syncpoint_tries_student UNIQUE (student, assignment, digest)
);
CREATE TABLE syncpoint_student_ids (
	student TEXT NOT NULL,
	kind TEXT NOT NULL,
	value TEXT NOT NULL,
	CONSTRAINT pk_syncpoint_student_ids PRIMARY KEY (student, kind)
);
CREATE TABLE syncpoint_groups (
	student TEXT NOT NULL,
	name TEXT NOT NULL,
	CONSTRAINT pk_syncpoint_groups PRIMARY KEY (student)
);
CREATE TABLE syncpoint_variants (
	student TEXT NOT NULL,
	assignment TEXT NOT NULL,
	variant TEXT NOT NULL,
	CONSTRAINT pk_syncpoint_variants PRIMARY KEY (student, assignment)
);
CREATE TABLE syncpoint_viva_questions (
	student TEXT NOT NULL,
	assignment TEXT NOT NULL,
	number INTEGER NOT NULL,
	exercise TEXT NOT NULL,
	language TEXT NOT NULL,
	question TEXT NOT NULL,
	answer TEXT NOT NULL,
	kind TEXT NOT NULL,
	worth DOUBLE NOT NULL,
	asked_at DATETIME NOT NULL,
	prediction TEXT,
	why TEXT,
	predicted_at DATETIME,
	CONSTRAINT pk_syncpoint_viva_questions PRIMARY KEY (student, assignment, number)
);
CREATE TABLE syncpoint_owner (
	id INTEGER NOT NULL,
	folder TEXT NOT NULL,
	machine TEXT NOT NULL,
	inode BIGINT NOT NULL,
	CONSTRAINT pk_syncpoint_owner PRIMARY KEY (id)
);
CREATE INDEX ix_syncpoint_notebooks_assignment ON syncpoint_notebooks (assignment);
CREATE INDEX ix_syncpoint_notebooks_graded_at ON syncpoint_notebooks (graded_at);
CREATE INDEX ix_syncpoint_incidents_notebook_id ON syncpoint_incidents (notebook_id);
CREATE INDEX ix_syncpoint_acts_notebook_id ON syncpoint_acts (notebook_id);
CREATE INDEX ix_syncpoint_verdicts_exercise ON syncpoint_verdicts (exercise);
CREATE INDEX ix_syncpoint_verdicts_notebook_id ON syncpoint_verdicts (notebook_id);
CREATE INDEX ix_syncpoint_outcomes_verdict_id ON syncpoint_outcomes (verdict_id);
CREATE INDEX ix_syncpoint_unread ON grade (cell_id, needs_manual_grade) WHERE needs_manual_grade = 1;
CREATE INDEX ix_syncpoint_mark_changes_student ON syncpoint_mark_changes (student);
CREATE INDEX ix_syncpoint_mark_changes_assignment ON syncpoint_mark_changes (assignment);
CREATE INDEX ix_syncpoint_sent_marks_student ON syncpoint_sent_marks (student);
CREATE INDEX ix_syncpoint_regrade_requests_assignment ON syncpoint_regrade_requests (assignment);
CREATE INDEX ix_syncpoint_regrade_requests_student ON syncpoint_regrade_requests (student);
CREATE INDEX ix_syncpoint_hand_ins_student ON syncpoint_hand_ins (student);
CREATE INDEX ix_syncpoint_hand_ins_state ON syncpoint_hand_ins (state);
CREATE INDEX ix_syncpoint_tries_student ON syncpoint_tries (student);
CREATE INDEX ix_syncpoint_tries_assignment ON syncpoint_tries (assignment);
CREATE INDEX ix_syncpoint_variants_assignment ON syncpoint_variants (assignment);
CREATE INDEX ix_syncpoint_viva_questions_predicted_at ON syncpoint_viva_questions (predicted_at);
CREATE INDEX ix_syncpoint_viva_questions_assignment ON syncpoint_viva_questions (assignment);
INSERT INTO syncpoint_version VALUES ('0001');
