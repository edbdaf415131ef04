"""All sentences, by their codes, with named placeholders. No score and no result's key depends on them.

``{who:capital}``: begins the sentence.
"""

from __future__ import annotations

from typing import NamedTuple


class Counted(NamedTuple):
    """A text with a number: it has another form for 1."""

    number: str
    one: str


_PROVISIONAL = (
    "These points are provisional: the time limit was reached because the grading machine was busy with other work."
)
_LEFT = (
    "The grader does not use links, files that are too large or cannot be read, files whose names are too long, "
    "or files that are named like the course's own."
)
_NOTHING = "nothing in it could be graded."

TEXTS = {
    "words": "{text}",
    "cell": "cell {number}",
    "named_cell": "cell {number} (`{name}`)",
    "function": "`{name}`",
    "the_code": "the code",
    "your_code": "your code",
    "error": "{type}",
    "error_text": "{type}: {text}",
    "error_at": "{type} (line {line} of a cell)",
    "error_text_at": "{type}: {text} (line {line} of a cell)",
    "raised": "{who:capital} raised {error}.",
    "raised_outside": "Running {who} ended with {error}. No line of your code raised it.",
    "raised_full": "{who:capital} raised {error}. The device was full before the call: your notebook already held "
    "{mib} MiB on it.",
    "raised_character": "{who:capital} raised {error}: line {line} has the character {character} ({name}), which "
    "Python code must not contain. Delete it and type it again on your keyboard.",
    "raised_memory": "{who:capital} raised {error} (limit {mib} MiB).",
    "raised_disk": "{who:capital} raised {error}: too much was written (limit {mib} MiB).",
    "raised_processes": "{who:capital} raised {error}: too many processes or threads (limit {processes}).",
    "timeout": "{who:capital} did not finish within {seconds:.0f} s and was stopped.",
    "last_time": "{who:capital} used up the last of the notebook's {seconds:.0f} s and was stopped.",
    "output": "{who:capital} printed more than {mib:g} MiB and was stopped.",
    "notebook_output": "{who:capital} used up the {mib:g} MiB that a notebook may print and was stopped.",
    "messages": "{who:capital} sent the grader too much data and was stopped (limit {mib} MiB at a time, "
    "{exercise_mib} MiB in the tests of an exercise).",
    "provisional": f"{{message}} {_PROVISIONAL}",
    "timeout_hang": "the code did not finish within {seconds:.0f} s and did not react to an interrupt; the kernel was "
    "killed",
    "output_hang": "the code printed more than {mib:g} MiB and did not react to an interrupt; the kernel was killed",
    "notebook_output_hang": "the code used up the {mib:g} MiB that a notebook may print and did not react to an "
    "interrupt; the kernel was killed",
    "messages_hang": "the code sent the grader too much data (limit {mib} MiB at a time, {exercise_mib} MiB in the "
    "tests of an exercise) and did not react to an interrupt; the kernel was killed",
    "cut_off": "the notebook closed its connection to the grader, or sent something that is not a message",
    "memory": "the kernel ran out of memory (limit {mib} MiB)",
    "processes": "the code started too many processes or threads (limit {limit})",
    "sessions": "the code started too many process sessions (`setsid`; limit {limit})",
    "files": "the code made too many files (limit {limit})",
    "descriptors": "the code kept too many files, pipes and sockets open (limit {limit}, all processes together)",
    "cpu": "the notebook took too much processor time (limit {seconds:.0f} s, all cores together)",
    "killed": "the kernel was killed",
    "engine_gone": "the device process ended or stopped answering",
    "engine_not_started": "the device process did not start ({why})",
    "crashed": "the kernel crashed ({signal})",
    "exited": "the kernel exited by itself (exit status {status})",
    "exited_saying": "the kernel exited by itself (exit status {status}): {line}",
    "not_started": "the kernel did not start within {seconds} s",
    "memory_unread": "the kernel's memory usage cannot be read",
    "kernel_gone": "In {who}: {why}. Nothing after it could run.",
    "device_cut_off": "{who:capital} exceeded a limit of the device ({why}) and was cut off from it. Later "
    "cells get a new device, on which the cells before this one are run again.",
    "device_cut_off_in_tests": "In the tests of this exercise, the notebook exceeded a limit of the device ({why}) and "
    "was cut off from it. Later exercises get a new device.",
    "device_cut_off_last": "{who:capital} exceeded a limit of the device ({why}), as earlier code did. The code after "
    "it has no device until the next exercise.",
    "ran_again": "{message} This happened when the code was run again on a new device.",
    "not_run": "{who:capital} did not run: the notebook used up its {seconds:.0f} s.",
    "could_not_run": "Could not run: {why}.",
    "disturbed": "Could not run: your notebook interfered with its kernel's connection.",
    "not_defined": "`{name}` is not defined.",
    "not_written": "{who:capital} is not written yet (it raised NotImplementedError).",
    "no_time_left": "The notebook had used up its time before these tests.",
    "tests_timeout": "The tests of this exercise took longer than {seconds:.0f} s in all.",
    "too_many_operations": "Your code put more than {limit} operations into the queue in one test.",
    "wrong_again": "The operations of your call were run again on other inputs, without your Python code. The "
    "result was wrong, so your Python code must have computed part of it.",
    "wrong_through": "Your call was run again, and this time {operations} returned what they would return for other "
    "inputs. Your result was not right for these other inputs. So a part of the result comes from "
    "elsewhere, such as from a computation in Python.",
    "not_replayed": "Your call could not be run again on other inputs: it did too much, or it failed.",
    "endless": "The grader spent too long reading what your code returned or printed.",
    "grader_broke": "This test itself failed to run, so it gave no points. Please tell your instructor.",
    "cannot_test": "The tests of this exercise could not be run. This is not your fault. Please tell your instructor.",
    "judge_says": "[judge] {message}",
    "omitted": "[judge] an output was left out because it is too large",
    "unguarded": "Graded without a sandbox: the operator turned it off (isolation = none).",
    "copied_cell": "Your notebook has several copies of the course's cell `{cell}`. Only the one in its original "
    "place counts.",
    "moved_cell": "The course's cell `{cell}` was not in its place and was moved back.",
    "code_copies": "Cells {numbers} are copies of `{cell}`. Cell {number} counts: of the copies that you changed, it "
    "is the last one before the tests. Delete the others.",
    "late_copy": "Cell {number} comes after the tests of `{cell}`, so cell {counts} counts instead. If "
    "cell {number} is your answer, move it above the tests.",
    "late_answer": "Cell {number} (`{cell}`) comes after its own tests, so it does not count. Move it above the tests.",
    "written_copies": "Cells {numbers} are copies of `{cell}`. Cell {number} counts: it is the last one you changed. "
    "Delete the others.",
    "written_parts": "Cells {numbers} are read together as your answer to `{cell}`.",
    "text_below": "The text in cell {number} is read as your answer to `{cell}`, because the answer cell itself is "
    "empty. Write your answer in the answer cell.",
    "older_release": "Some exercise cells of this notebook are not in the current version of the assignment "
    "({cells}). It may be an older version. Fetch the assignment again and copy your answers into it.",
    "fenced_cell": "Cell {number} (`{cell}`) begins with ```, which is Markdown and not Python. Delete the lines with "
    "```.",
    "magic_cell": "Cell {number} (`{cell}`) begins with {magic}, so its text does not run as Python in your notebook. "
    "Delete that line.",
    "resets": "Cell {number} has %reset, which deletes everything that earlier cells defined. Delete that line.",
    "left_on": "Cell {number} calls {call}, which stays in effect for all later cells and for the tests. Undo it at "
    "the end of the cell, or call it inside a function.",
    "not_utf8": "The file is not in UTF-8: some characters could not be read and were replaced. Save it again in "
    "Jupyter.",
    "more_than_a_notebook": "The file continues after the end of the notebook. The rest was ignored. Save it again "
    "in Jupyter.",
    "beside": "The folder also contains {found}. If that is your work, give it the name of the assignment's notebook "
    "and submit again.",
    "foreign_notebook": "{notebook}.ipynb contains none of the exercise cells. Is it from another assignment? Its "
    "cells were run as they are.",
    "missing_cell": "The cell `{cell}` is missing, and no other cell defines what it asks for.",
    "added_cell": "The cell `{cell}` was missing and was added again.",
    "left_files": f"Not used: {{files}}. {_LEFT}",
    "left_all": f"Not used: all files next to the notebooks. {_LEFT}",
    "refused_link": f"{{file}} is a link to another file, so {_NOTHING}",
    "refused_missing": f"{{file}} was not submitted, so {_NOTHING}",
    "refused_beside": f"{{file}} was not submitted (the folder contains {{found}}), so {_NOTHING}",
    "refused_size": f"{{file}} is larger than {{mib}} MiB, so {_NOTHING} Clear its outputs: they do not "
    "affect the score.",
    "refused_values": f"{{file}} holds more than {{values}} values, so {_NOTHING} Clear its outputs: they do not "
    "affect the score.",
    "refused_and_beside": "{message} The folder also contains {found}. If that is your work, give it the name "
    "of the assignment's notebook and submit again.",
    "refused_empty": f"{{file}} is not a notebook: the file is empty, so {_NOTHING} Submit it again.",
    "refused_zeros": f"{{file}} is not a notebook: it holds only zero bytes, as after a copy that did not finish, so "
    f"{_NOTHING} Submit it again.",
    "refused_zip": f"{{file}} is not a notebook: it is a zip archive, so {_NOTHING} Submit the notebook that is in the "
    "archive.",
    "refused_pdf": f"{{file}} is not a notebook: it is a PDF, so {_NOTHING} Submit the .ipynb file.",
    "refused_pointer": f"{{file}} is not a notebook: it is a pointer of Git LFS, so {_NOTHING} Run `git lfs pull` and "
    "submit the notebook.",
    "refused_shortcut": f"{{file}} is not a notebook: it is a shortcut to a file in a web drive, so {_NOTHING} "
    "Download the notebook and submit it.",
    "refused_web_page": f"{{file}} is not a notebook: it is a web page, such as a login page that was saved instead, "
    f"so {_NOTHING} Download the notebook again.",
    "refused_conflict": f"{{file}} is not a notebook: line {{line}} has a conflict mark of git, so {_NOTHING} Resolve "
    "the conflict and submit it again.",
    "refused_text": f"{{file}} is not a notebook: it is text that begins with {{begins!r}}, so {_NOTHING} Submit the "
    ".ipynb file.",
    "refused_cut_off": f"{{file}} is not a notebook: it ends in the middle, in line {{line}}, so {_NOTHING} Save it in "
    "Jupyter and submit it again.",
    "refused_comma": f"{{file}} is not a notebook: line {{line}} has a comma before a closing bracket, so {_NOTHING} "
    "Open it in Jupyter, or take a copy that was not edited by hand.",
    "refused_broken": f"{{file}} is not a notebook: line {{line}} is not JSON ({{why}}), so {_NOTHING} Take a copy "
    "that opens in Jupyter.",
    "refused_several": f"{{file}} is not a notebook: it holds several JSON values, and the first is not a notebook, so "
    f"{_NOTHING} Take a copy that opens in Jupyter.",
    "refused_no_json": f"{{file}} is not a notebook: it does not hold JSON, so {_NOTHING}",
    "refused_no_cells": f"{{file}} is not a notebook: it has no cells, so {_NOTHING}",
    "refused_many_cells": f"{{file}} has more than {{cells}} cells, so {_NOTHING} Delete those that you do not need.",
    "at_first": "before the first cell",
    "after_cell": "after {cell}",
    "in_tests": "in the tests of {cell}",
    "at_the_end": "at the end",
    "act_patched": "`{what}` was replaced or changed (first seen {moment}).",
    "act_transformer": "IPython's {what} were changed, so the code that runs is not the code in the cells (first seen "
    "{moment}).",
    "act_display": "The code that displays results was replaced: `{what}` (first seen {moment}).",
    "act_tracing": "A hook that can watch all running code was set: `{what}` (first seen {moment}).",
    "act_search": "The notebook looked for objects that are not its own: `{what}` (first seen {moment}).",
    "act_memory": "The notebook accessed the memory of its process without Python: `{what}` (first seen {moment}).",
    "act_kernel": "The notebook touched the kernel or its channels: `{what}` (first seen {moment}).",
    "act_probe": "The notebook tried to import a module that the grader runs in the kernel: `{what}` (first seen "
    "{moment}).",
    "act_files": "The notebook opened one of the grader's files: `{what}` (first seen {moment}).",
    "act_environment": "An environment variable of the engine was changed: `{what}` (first seen {moment}).",
    "act_signals": "A signal was sent, or its handler replaced: `{what}` (first seen {moment}).",
    "act_processes": "The notebook copied its process: `{what}` (first seen {moment}).",
    "act_blinded": "The search for suspicious acts failed in the kernel (first seen {moment}).",
    "act_messages": "The kernel sent {what} (first seen {moment}).",
    "act_threads": "Threads of the notebook still ran: {what} (first seen {moment}).",
    "act_left over": "Processes of the notebook still ran: {what} (first seen {moment}).",
    "act_report": "The kernel's report of suspicious acts was missing or false (first seen {moment}).",
    "more_acts": "There were more acts of the kind `{kind}`; only the first {listed} are listed (first seen {moment}).",
    "unreadable_message": "a message that cannot be read",
    "foreign_message": "a message about a request that was never made",
    "uncalled_reply": "a reply to no request",
    "odd_message": "a message of a kind that no kernel sends",
    "was_killed": "the kernel was killed, but not by the grader or one of its limits; the notebook was run once more",
    "was_killed_again": "the kernel was killed again: these points are not stored, and the next grading run grades it "
    "again",
    "crashed_by_itself": "the kernel crashed; the notebook was run once more, alone",
    "crashed_by_itself_again": "the kernel crashed again, so this counts as the student's mistake",
    "engine_was_lost": "the device process ended, but not because of the grader or one of its limits; the notebook "
    "was run once more",
    "engine_was_lost_again": "the device process ended again: these points are not stored, and the next grading run "
    "grades it again",
    "was_starved": "other work on this machine used the processors while a time limit ran out; the notebook was run "
    "once more, alone",
    "was_starved_again": "other work on this machine used the processors even while the notebook was graded alone: "
    "these points are not stored, and the next grading run grades it again",
    "test_broke": "{exercise}: {test} itself failed to run and gave no points. `syncpoint why` shows where. Fix it "
    "and grade again",
    "no_test": "{module} contains no test: write at least one function test_...(student).",
    "no_import": "{module} cannot be imported:\n{error}",
    "odd_sentence": "{module} has a sentence that cannot be displayed: {problems}.",
    "no_section": "{module}: docs/students/misconceptions.md has no section {sections}: write it.",
    "pytest_ended": "{module}: pytest ended before all tests were judged ({status}).",
    "no_wait": "Your code enqueued {operations} and never had to wait.",
    "idle_waits": "Your code enqueued {operations}. Everything it waited for was already finished, so no wait "
    "blocked it.",
    "no_wait_unfinished": "Your code enqueued {operations} and returned before all of them had finished. It never "
    "had to wait.",
    "wait_missing": "No wait is marked, because a wait is missing or waits for too little. Enqueued in a row without a "
    "wait: up to {most}. Enqueued after the last wait: {after}.",
    "wait_marked": "Your code paused at the marked wait. By then it had enqueued {before}; afterwards it enqueued "
    "{after}.",
    "no_operation": "no operations",
    "one_operation": "1 operation",
    "operations": "{count} operations",
    "step_batch": "batch {number}",
    "step_before": "... {count} earlier",
    "step_after": "... and {count} more",
    "step_more": "+ {count} more",
    "step_end": "return",
    "step_here": "{step} <- HERE",
    "step_wait": "wait ({name})",
    "step_idle_wait": "{name}, with nothing to wait for",
    "step_enqueue": "enqueue {count} ({names}) for {devices}",
    "step_follow": "{queue} waits for everything enqueued in {source} so far",
    "step_follow_earlier": "{queue} waits for what was in {source} when an earlier event was recorded",
    "step_let_go": "{step}, and the grader lets {what} finish",
    "step_held": "{step}, held back: {count}",
    "step_closed": "still held back by the grader: {count}",
    "held_inputs": "{count} inputs",
    "held_results": "{count} results",
    "held_others": "unrelated work",
    "copy_from_to": "copy from {source} to {target}",
    "collective": "collective {name}",
    "hidden_wait": "a wait",
    "wait_inside": "inside an operation",
    "steps_in_order": "{message} In order: {steps}.",
    "and": " and ",
    "comma": "{first}, {second}",
    "number_marks": ".,",  # the decimal point and the mark between thousands
    "host": "the host",
    "device": "device {number}",
    "stream": "stream {number} of {device}",
    "default_stream": "the default stream of {device}",
    "communicator": "the communicator of {device}",
    "row_stream": "{device}, stream {number}",
    "row_default_stream": "{device}, default",
    "row_communicator": "{device}, collectives",
    "picture_front_end": "front end",
    "picture_wait": "wait",
    "picture_here": "here",
    "picture_caption": "Time runs from left to right, in steps: the picture shows the order, not durations.",
    "picture_earlier": "{count} earlier steps are not shown.",
    "picture_held": "held back",
    "picture_in_words": "The same in words",
    "legend_work": "work",
    "legend_copy": "copy",
    "legend_collective": "collective of several devices",
    "legend_host": "Python (the front end) enqueues this many operations",
    "legend_wait": "Python waits",
    "legend_idle_wait": "Python calls a wait, but there is nothing left to wait for",
    "legend_follow": "this stream waits here for the stream where the arrow starts",
    "legend_held": "Held back: inputs and results that the grader keeps pending until your code waits for them. "
    "A number such as \u22122 at a wait means that the wait released two of them.",
    "points": "{points:g} of {most:g} points",
    "test_passed": "passed",
    "test_not_passed": "not passed",
    "core": "[core]",
    "value": "[value]",
    "counts": "(weight {weight:g})",
    "seen": "Seen",
    "hint": "Hint",
    "labelled": "{label}: {text}",
    "half_for_core": "You get half of the points ({half:g} of {most:g}) only if all tests marked [core] pass, because "
    "these tests check what this exercise is about. For this half, you got {core:g}. The other half is "
    "shared among all tests. For that half, you got {shared:.4g}.",
    "value_limits": "A test marked [value] failed, so the exercise gives at most three quarters of its points.",
    "failure_limits": "A test failed, so the exercise gives at most nine tenths of its points.",
    "belief_summary": "A common belief, and what the engine really does",
    "whole_page": "Read the whole page",
    "page_points": "{points} for the whole assignment",
    "page_penalty": "{penalty:g} deducted for lateness",
    "page_unread": "{count} of your answers will be graded by a person and may add points",
    "page_notebooks": "Notebooks:",
    "page_this": "(this page)",
    "page_to_have": "not graded yet, worth {points:g} points",
    "page_missing": "see what is missing",
    "page_comment": "a comment",
    "page_comments": "Comments:",
    "page_end": ".",
    "page_next": "What to do next:",
    "page_next_lost": "go to an exercise that lost points. Below your code you can see which tests failed, what the "
    "grader saw, and a hint.",
    "page_next_unread": "nothing. This page is updated when your answers have been graded.",
    "page_next_nothing": "nothing is missing here. If the notebook ends with a harder exercise, try it.",
    "page_wrong_mark": "If a mark looks wrong, tell your teacher which exercise and which test.",
    "page_answer": "Your answer",
    "page_task": "Your task",
    "page_exercise": "Exercise",
    "page_top": "To the top",
    "page_total": "The whole course so far: {percent:g}%.",
    "page_total_range": "The whole course so far: {low:g} to {high:g}%, depending on what is not marked yet.",
    "tries_title": "Your submissions",
    "tries_number": "Number",
    "tries_time": "Submitted",
    "tries_no_time": "unknown",
    "tries_points": "Points of the tests",
    "tries_counts": "this one counts",
    "tries_changed": "What changed from submission {before} to {after}",
    "tries_same": "No answer changed.",
    "tries_none": "none",
    "tries_points_change": "{name}: {before} before, {after} after",
    "tries_group": "{student} submitted this work for your group.",
    "page_you_asked": "You asked:",
    "page_reply": "Answer:",
    "page_ask": "Do you think this mark is wrong? On a hub, ask in Help > Feedback and Questions. Or run "
    "`%syncpoint ask {exercise}` and your question in the notebook, on one line.",
    "form_open": "I think this mark is wrong",
    "form_label": "Your question about {exercise}",
    "form_hint": "Write at most {most} characters. Your teacher sees your code and the result of each test. The answer "
    "will appear here.",
    "form_send": "Send the question",
    "form_waiting": "Your question was sent. It has not been answered yet.",
    "feedback_all": "Feedback and questions",
    "feedback_none": "There is no feedback for you yet.",
    "ask_usage": "Type `%syncpoint ask`, followed by the name of an exercise and your question (at most {most} "
    "characters).",
    "ask_nothing": "Your question was not sent: no submission of {assignment} from this machine was found. Ask your "
    "teacher directly.",
    "ask_many": "Your question was not sent: you have {most} questions about this assignment that are not answered "
    "yet.",
    "ask_failed": "Your question was not sent: {why}. Try again later, or ask your teacher directly.",
    "ask_sent": "Your question about {exercise} was sent. You will find the answer below this "
    "exercise in your feedback.",
    "operation_in_line": "`{operation}` in line {line}",
    "operation_of_caller": "the caller's `{operation}`",
    "change_without": "Line {line} is left out: `{text}`.",
    "change_no_stream": "The block in line {line} runs on the current stream: `{text}` is left out.",
    "change_to": "In line {line}, `{text}` becomes `{new}`.",
    "change_swapped": "Lines {line} and {other} change places: `{text}` comes after `{next}`.",
    "change_out_of_loop": "Line {line}, `{text}`, moves out of its loop and runs once, after it.",
    "change_into_loop": "Line {line}, `{text}`, moves into the loop above it and runs in each round.",
    "change_wait_before": "Before `{text}` in line {line}, the host runs `{wait}`.",
    "change_wait_after": "After `{text}` in line {line}, the host runs `{wait}`.",
    "what_if_right": "The numbers stay right, whichever operation runs first.",
    "what_if_wrong": "The numbers are wrong.",
    "what_if_sometimes": "The numbers are no longer right every time.",
    "what_if_nothing": "Nothing changes: the numbers, the waits, the order and the memory stay the same.",
    "what_if_race": "Race: {later} and {earlier} use the same memory without a fixed order.",
    "what_if_again": "Race: {later} gets memory that {earlier} may still use.",
    "what_if_wait": "First wait of the host: {after} (before: {before}).",
    "what_if_no_wait": "none",
    "what_if_wait_in": "`{name}`, after {count} operations",
    "what_if_wait_hidden": "a hidden wait inside an operation, after {count} operations",
    "what_if_waits": "Waits of the host: {after} (before: {before}).",
    "what_if_unfinished": "Operations that may be unfinished at the return: {after} (before: {before}).",
    "what_if_operations": "Operations of the call: {after} (before: {before}).",
    "what_if_ordered": "Can no longer run at the same time: {pair}.",
    "what_if_beside": "May now run at the same time: {pair}.",
    "what_if_fewer": "Cases in which {pair} may run at the same time: {after} (before: {before}).",
    "pair_of_places": "{first} and {second}",
    "pair_in_place": "two runs of {place}",
    "what_if_peak": "Peak memory of the call: {after:.1f} KiB (before: {before:.1f} KiB).",
    "what_if_no_exercise": "`{exercise}` cannot be used with what-if. Available: {exercises}.",
    "what_if_no_source": "the code of `{exercise}` was not found in a cell. Run its cell, without lines that begin "
    "with % or !.",
    "what_if_no_next": "line {line} is the last statement of its block.",
    "what_if_usage": "Type `%syncpoint what-if {exercise}` and the number of a line to leave it out. Add `swap` to "
    "swap it with the next statement instead.",
    "viva_title": "Questions about your own code: {assignment}",
    "viva_student": "Student: {student}",
    "viva_mark": "Mark",
    "viva_ask": "For each change, ask what happens to the numbers, the waits, the order and the memory, and why.",
    "viva_question": "Question {number}: {exercise}",
    "viva_what": "What changes, and why?",
    "viva_answer": "Measured answer",
    "viva_prepared_answer": "Answer",
    "viva_before": "Before the change",
    "viva_after": "After the change",
    "viva_about": "What some believe: {titles}",
    "viva_called": "Call: {how}",
    "viva_same_picture": "The picture stays the same.",
    "viva_few": "Too few changes of this student's code could be measured.",
    "viva_seed": "seed {seed}",
    "viva_breaks": "The code fails, or its numbers are no longer right every time.",
    "viva_order": "The numbers stay right, but the host waits differently, or other operations may run at the same "
    "time.",
    "viva_memory": "The numbers, the waits and the order stay the same, but the peak memory changes.",
    "viva_nothing": "Nothing changes.",
    "viva_none": "There are no questions for your latest submission of {assignment}. Your teacher tells you when there "
    "are.",
    "viva_open": "Open questions: {numbers}. Predict first: type `%syncpoint viva`, the number of the question, the "
    "letter of your prediction, and one sentence that says why. Your first prediction counts. After "
    "that, you see what was measured.",
    "viva_done": "You have answered all questions.",
    "viva_worth": "Each right first prediction gives extra points: {points:g}.",
    "viva_usage": "Type `%syncpoint viva`, the number of a question, the letter of your prediction (a, b, c or d), and "
    "one sentence that says why (at most {most} characters).",
    "viva_unknown": "There is no such question. Choose one of these: {numbers}.",
    "viva_stands": "You have already predicted question {number}. The first prediction counts.",
    "viva_failed": "Your prediction was not sent: {why}. Try again later, or ask your teacher directly.",
    "viva_sent": "Your prediction for question {number} was sent. To see what was measured, type `%syncpoint viva` "
    "again in a minute.",
    "viva_predicted": "Your prediction",
    "viva_why": "Why",
    "viva_measured": "What was measured",
    "check_usage": "Type `%syncpoint check` and the name of an exercise: {exercises}. `%syncpoint status` shows the "
    "status of the work you submitted.",
    "check_nothing": "Nothing was checked: {why}",
    "check_no_exercise": "there is no check for `{exercise}`. Available: {exercises}.",
    "check_none": "this assignment has no checks. `%syncpoint status` shows the status of the work you submitted, "
    "and `%syncpoint language` changes the language.",
    "check_no_folder": "there are no checks next to this notebook: the assignment's folder `{folder}` is missing.",
    "check_newer": "this assignment needs a newer syncpoint-check: the installed one does not know the engine "
    "{engine}.",
    "check_too_late": "{module} was imported before the check could prepare it. Restart the kernel, run `%load_ext "
    "syncpoint_check` first, and then run your cells again.",
    "check_unreachable": "the check cannot reach {module} in this notebook: {why}",
    "check_restart": "{why}: restart the kernel.",
    "check_not_passed": "{exercise} does not pass its check yet: {why}",
    "check_stub": "the answer still contains `raise NotImplementedError()`.",
    "check_failed": "{check} failed.",
    "check_install": "Run `pip install syncpoint_check-*.whl`, then restart the kernel.",
    "language_usage": "Type `%syncpoint language` and one of these: {languages}.",
    "language_none": "This assignment is available in one language only.",
    "language_touched": "Nothing was changed, because you have already written in {cells}. Ask your teacher if you "
    "need the other language now.",
    "language_done": "The notebooks are now in {language}. Close this one without saving it, and open it again.",
    "check_count": "{passed} of {all} properties",
    "core_means": "[core] marks what this exercise is about.",
    "check_is_no_score": "This is not your score. Grading uses hidden tests, which check more properties with other "
    "inputs.",
    "check_broke": "This check itself failed to run ({error}). It says nothing about your code. Please tell your "
    "instructor.",
    "status_none": "No status for {assignment}: you have not submitted it, or it is not graded on submission. If a "
    "partner submitted it for your group, submit the unchanged notebook: then you also get your feedback.",
    "status_collected": "Your submission has arrived.",
    "status_queued": "Your submission is number {place} of {all} in the queue.",
    "status_expected": "At the current pace it will be graded in about {minutes} minutes.",
    "status_judging": "Your submission is being graded now.",
    "status_written": "Your submission is graded. The feedback will be ready in a moment.",
    "status_spent": "You have no attempts left at the moment.",
    "status_quota": "You have used all {quota} attempts.",
    "status_closed": "The assignment was due before this submission reached the front of the queue.",
    "status_late": "This submission arrived after the due date.",
    "status_graded_at": "It is not lost: it will be graded at {at}. If you submit again before then, the newer "
    "submission replaces it.",
    "status_graded_when_due": "It is not lost: it will be graded when the assignment is due, or by your teacher. If "
    "you submit again before then, the newer submission replaces it.",
    "status_left": "It is not lost, but it is not graded automatically: your teacher decides. If feedback is "
    "released, you find it in the assignment list under Fetch Feedback.",
    "status_when_due": "Your submission is graded. You will see the result when the assignment is due.",
    "status_released": "Your submission is graded. The full feedback is in the assignment list under Fetch Feedback.",
    "status_more_when_due": "You will see more when the assignment is due.",
    "status_mended": "We hit a problem while grading. Your work is safe, and we will try again.",
    "mark_with_feedback": "{points:g} of {most:g} points. Your feedback: {link}",
    "shown_when_due": "The result is shown when the assignment is due.",
    "worth": "{points:g} points",
    "worth_nothing": "No points: this exercise is for practice",
    "worth_in_all": "This assignment is worth {points:g} points.",
    "worth_here": "{points:g} of them are in this notebook.",
    "takes_hours": "Plan about {hours:g} hours for the whole assignment, including reading. This is an estimate.",
    "takes_minutes": "Plan about {minutes} minutes for the whole assignment, including reading. This is an estimate.",
    "assistants": "Do you use an AI assistant? Give it the file `AGENTS.md` of this folder: it asks assistants to "
    "explain, and not to solve the exercises.",
    "shown_plain": "[judge] {what} is shown as plain text: {reason}. No code exercise loses points for this.",
    "shown_cut": "[judge] {what} is shown as plain text: {reason}. No code exercise loses points for this. Only the "
    "first {shown} of {whole} characters are shown; the rest is in the submitted file.",
    "this_text": "This text",
    "this_code": "This code",
    "this_output": "The output of this cell",
    "formats_too_long": "it takes too long to format",
    "notebook_formats_too_long": "the text of this notebook takes too long to format",
    "longer_than": "it is longer than {length} characters",
    "no_format": "it cannot be formatted",
    "no_format_for": "it cannot be formatted ({type})",
    "too_deep": "it becomes too large or is nested too deeply",
    "no_picture": "{why} (only PNG and JPEG pictures that you pasted into this cell are shown)",
}

# Texts above that depend on a number: the parameter with the number, and the form for 1.
PLURALS = {
    "mark_with_feedback": Counted("most", "{points:g} of {most:g} point. Your feedback: {link}"),
    "points": Counted("most", "{points:g} of {most:g} point"),
    "operations": Counted("count", "{count} operation"),
    "picture_earlier": Counted("count", "{count} earlier step is not shown."),
    "held_inputs": Counted("count", "{count} input"),
    "held_results": Counted("count", "{count} result"),
    "status_quota": Counted("quota", "You have used your {quota} attempt."),
    "status_expected": Counted("minutes", "At the current pace it will be graded in about {minutes} minute."),
    "what_if_wait_in": Counted("count", "`{name}`, after {count} operation"),
    "what_if_wait_hidden": Counted("count", "a hidden wait inside an operation, after {count} operation"),
    "check_count": Counted("all", "{passed} of {all} property"),
    "page_unread": Counted("count", "{count} of your answers will be graded by a person and may add points"),
    "page_to_have": Counted("points", "not graded yet, worth {points:g} point"),
    "worth": Counted("points", "{points:g} point"),
    "worth_in_all": Counted("points", "This assignment is worth {points:g} point."),
    "worth_here": Counted("points", "{points:g} of them is in this notebook."),
    "takes_hours": Counted(
        "hours", "Plan about {hours:g} hour for the whole assignment, including reading. This is an estimate."
    ),
    "takes_minutes": Counted(
        "minutes", "Plan about {minutes} minute for the whole assignment, including reading. This is an estimate."
    ),
}

# Shown only to people who grade, as are all texts whose code begins with act_.
STAFF = frozenset(
    """at_first after_cell in_tests at_the_end more_acts unreadable_message foreign_message uncalled_reply
    odd_message was_killed was_killed_again crashed_by_itself crashed_by_itself_again engine_was_lost
    engine_was_lost_again was_starved was_starved_again test_broke no_test no_import no_section odd_sentence
    pytest_ended""".split()
)
