"""Matches the senders of a download with the students of the gradebook."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from nbgrader.api import Student

from ..core.names import some
from ..platforms import possible_users
from ..platforms.download import NOTEBOOK, CollectError, Sender, Upload
from ..records.roster import Ids
from ..records.roster_file import OTHER_IDS

GITHUB = "github"  # users choose their names there
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
NONE: Ids = {}
NO_GROUPS: Mapping[str, str] = {}
NOBODY = "nobody in the gradebook has this LMS id, id, email address or name"
ANY_OF = "it may belong to {}"
TWICE = "{} match {}, who has only one submission"
NOT_IN_GROUPS = (
    "it is the work of the group {}, but the assignment is not for groups: add groups = true to its assignment.toml"
)
TWO_GROUPS = "it names {}, who are not in one group in the roster"
CONTRADICTED = "its id is that of {}, but the name and the email address are not"
ANOTHER_NAME = "its id is that of {}, but its name is that of {}"
GROUP_OR_ONE = "it may be the work of {}, or of the group {}"
TWO_KINDS = "its id is the LMS id of one student and the id of another one: {}"
SEVERAL = "it has folders of several people ({}); unpack the download, and collect this folder by itself"


def read_pairs(typed: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Parse the options NAME=STUDENT (a group has several students), or raise CollectError."""
    pairs = [unicodedata.normalize("NFC", one).rpartition("=") for one in typed]
    if not all(name and student for name, _, student in pairs):
        raise CollectError("--match needs NAME=STUDENT, such as --match 'Ada Lovelace_1234=ada'.")
    twice = [student for student, times in Counter(student for _, _, student in pairs).items() if times > 1]
    if twice:
        raise CollectError(f"--match names {some(map(repr, twice))} twice: a student has one submission.")
    whose: dict[str, tuple[str, ...]] = {}
    for name, _, student in pairs:
        whose[name] = (*whose.get(name, ()), student)
    return whose


def match(
    uploads: Sequence[Upload],
    students: Iterable[Student],
    chosen: Mapping[str, Sequence[str]],
    believe_names: bool = False,
    ids: Ids = NONE,
    groups: Mapping[str, str] = NO_GROUPS,
    together: bool = True,
) -> tuple[dict[str, Upload], dict[str, str]]:
    """Return each student's upload (a group's belongs to all its members), and by sender why others match nobody.

    An LMS id, id or email address decides.  Names are used only for students without an LMS id, or for all students if
    the ids of the download are not LMS ids.  Students who cannot be distinguished get no work.  ``chosen`` are a
    person's decisions, the students of a sender; with ``believe_names``, names that students can change also count.

    Raises:
        CollectError: If a person named a sender or a student that does not exist, or a folder of several students.
    """
    roster = Roster(students, ids, groups, together)
    senders = {one.sender.shown: one for one in uploads}
    if odd := [name for name in chosen if name not in senders]:
        raise CollectError(f"--match 'NAME=STUDENT': the download has no {some(map(repr, odd))}.")
    if odd := [student for several in chosen.values() for student in several if student not in roster.known]:
        raise CollectError(f"--match 'NAME=STUDENT': the gradebook has no {some(map(repr, odd))}.")
    for name, group in chosen.items():
        if several := roster.inside(senders[name], *group):
            raise CollectError(
                f"--match: {name!r} has folders of several people ({some(several)}). Unpack the download, and "
                "collect the folder that has one folder for each student."
            )
    lms = roster.lms_ids_are_meant(one.sender for one in uploads)
    unclear = roster.of_unclear_kind(one.sender for one in uploads)
    whose: dict[str, list[Upload]] = defaultdict(list)
    unmatched: dict[str, str] = {}
    for name, one in senders.items():
        found, why = (chosen[name], "") if name in chosen else roster.find(one, lms, believe_names, unclear)
        for student in found:
            whose[student].append(one)
        if not found:
            unmatched[name] = why
    unmatched |= (torn := _torn(whose, groups, chosen))
    whose = {student: [one for one in of if one.sender.shown not in torn] for student, of in whose.items()}
    for student, fitting in whose.items():
        if len(fitting) > 1:
            names = [one.sender.shown for one in fitting]
            unmatched |= dict.fromkeys(names, TWICE.format(some(map(repr, names)), student))
    for name, one in senders.items():
        if name in unmatched and one.sender.remark:
            unmatched[name] += f" ({one.sender.remark})"
    return {student: fitting[0] for student, fitting in whose.items() if len(fitting) == 1}, unmatched


def _torn(
    whose: Mapping[str, Sequence[Upload]], groups: Mapping[str, str], chosen: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """Return why work for several students is unmatched: the roster does not have them in one group.

    On some platforms students choose their partners without asking them.  Without groups in the roster, the platform
    decides.
    """
    named: dict[str, dict[str, str]] = defaultdict(dict)  # sender -> student
    for student, uploads in whose.items():
        for one in uploads:
            if one.sender.shared and one.sender.shown not in chosen:
                named[one.sender.shared][one.sender.shown] = student
    torn: dict[str, str] = {}
    for people in named.values():
        if len({groups.get(student, "") for student in people.values()}) > 1:
            torn |= dict.fromkeys(people, TWO_GROUPS.format(some(sorted(people.values()))))
    return torn


class Roster:
    """The students of a gradebook, indexed by the names that a platform uses."""

    def __init__(
        self, students: Iterable[Student], ids: Ids = NONE, groups: Mapping[str, str] = NO_GROUPS, together: bool = True
    ):
        self.ids, self.groups, self._together = ids, groups, together
        self.known = {student.id: student for student in students}
        self._by_id = _Index((student.id, student) for student in self.known.values())
        self._by_lms_id = _Index((student.lms_user_id or "", student) for student in self.known.values())
        self._by_email = _Index((student.email or "", student) for student in self.known.values())
        self._by_kind: dict[str, _Index] = {}
        for kind in OTHER_IDS:
            pairs = ((ids.get(student.id, {}).get(kind, ""), student) for student in self.known.values())
            self._by_kind[kind] = _Index(pairs)
        self._by_name: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self._by_joined_name: dict[str, set[str]] = defaultdict(set)
        for student in self.known.values():
            for words in _words(student):
                self._by_name[words].add(student.id)
                self._by_joined_name["".join(words)].add(student.id)

    def is_student(self, folder: str) -> bool:
        """Whether a folder of this name may be a student's."""
        return bool(self._who_may_have(folder))

    def lms_ids_are_meant(self, senders: Iterable[Sender]) -> bool:
        """Whether LMS ids alone identify students who have one, as for most of the senders."""
        ids = [id for sender in senders if not sender.doubt for id in sender.ids]
        by_lms_id = sum(bool(self._by_lms_id.get(id)) for id in ids)
        by_id = sum(any(self.known[student].lms_user_id for student in self._by_id.get(id)) for id in ids)
        return by_lms_id > 0 and by_lms_id >= by_id

    def of_unclear_kind(self, senders: Iterable[Sender]) -> frozenset[str]:
        """Return ids that give work to different students as LMS ids and as ids, if nothing shows which are meant."""
        ids = {id for sender in senders if not (sender.doubt or sender.kind) for id in sender.ids}
        by_lms_id = {id: found for id in ids if (found := self._by_lms_id.get(id))}
        by_id = {id: of for id in ids if (of := {one for one in self._by_id.get(id) if self.known[one].lms_user_id})}
        either = by_lms_id.keys() & by_id.keys()
        if len(by_lms_id) != len(by_id) or all(by_lms_id[id] == by_id[id] for id in either):
            return frozenset()
        return frozenset(id for id in {*by_lms_id, *by_id} if by_lms_id.get(id) != by_id.get(id))

    def find(
        self, upload: Upload, lms: bool, believe_names: bool, unclear: Collection[str] = ()
    ) -> tuple[Sequence[str], str]:
        """Return an upload's students, or nobody and the reason.

        The order decides: a group of the roster; a sender in doubt; ids of an unclear kind; one student; nobody.

        Args:
            upload: The upload.
            lms: Whether LMS ids decide.
            believe_names: Whether names that students can change count.
            unclear: Ids that decide nothing.
        """
        sender = upload.sender
        by_key = {student for id in sender.ids for student in self._with_id(id, lms, sender)}
        found = by_key or self._named(sender, lms)
        believed = sender.team or not sender.doubt
        group = self._group_of(sender, found, lms)
        if not group and self._together and (rival := self._group_of_its_name(sender, found, by_key)):
            return (), GROUP_OR_ONE.format(some(sorted(found)), rival)
        if believed and (believe_names or not sender.unproven) and group:
            members = sorted(student for student, name in self.groups.items() if name == group)
            if not self._together:
                return (), NOT_IN_GROUPS.format(group)
            if several := self.inside(upload, *members):
                return (), SEVERAL.format(some(several))
            return members, ""
        if doubt := sender.doubt or (not believe_names and sender.unproven):
            return (), f"{doubt}; {ANY_OF.format(some(sorted(found)))}" if found else doubt
        if by_key and {*sender.ids} & {*unclear} and not any(self.says_the_same(sender, one) for one in by_key):
            either = {one for id in sender.ids for index in (self._by_lms_id, self._by_id) for one in index.get(id)}
            return (), TWO_KINDS.format(some(sorted(either)))
        if len(found) == 1:
            (student,) = found
            if why_not := self._why_not(upload, student, by_id=student in by_key):
                return (), why_not
            found = found | {other for id in sender.others for other in self._with_id(id, lms, sender)}
        elif not found and (several := self.inside(upload)):
            return (), SEVERAL.format(some(several))
        if len(found) == 1:
            return tuple(found), ""
        return (), ANY_OF.format(some(sorted(found))) if found else NOBODY

    def _why_not(self, upload: Upload, student: str, by_id: bool) -> str:
        """Return why an upload is not this student's, whom an id or a name has found; "" if it is."""
        sender = upload.sender
        if by_id and self._contradicted(sender, self.known[student]):
            return CONTRADICTED.format(student)
        if by_id and (others := self._with_its_name(sender, student)):
            return ANOTHER_NAME.format(student, some(sorted(others)))
        several = self.inside(upload, student)
        return SEVERAL.format(some(several)) if several else ""

    def _group_of(self, sender: Sender, found: set[str], lms: bool) -> str:
        """Return the roster's group that submitted something together; "" for one person.

        A sender is a group if it has a group's name, or the platform calls it a group, and all students that it names
        are in it.  Canvas has the group's name with the id of one member.
        """
        if sender.person or (lms and sender.numbers and not sender.team and not found):
            return ""  # a member's number is that of nobody in the roster
        names = {squashed(text) for text in (sender.name, *sender.ids) if text not in sender.numbers} - {""}
        named = {group for group in self.groups.values() if squashed(group) in names}
        named |= {self.groups.get(student, "") for student in found if named or sender.team}
        return named.pop() if len(named) == 1 else ""

    def _group_of_its_name(self, sender: Sender, found: set[str], by_key: set[str]) -> str:
        """Return a group of which the text that identifies a student outside of it is the name; "" if there is none.

        A student of another group may have submitted with this one, and a student of no group may only be named so.
        """
        texts = [id for id in sender.ids if id not in sender.numbers] if by_key else [sender.name]
        by_text, by_name = ({squashed(text) for text in each} - {""} for each in (texts, [sender.name]))
        for group in sorted({*self.groups.values()}):
            theirs = {self.groups.get(student, "") for student in found}
            outside = theirs - {group} if squashed(group) in by_text else theirs - {group, ""}
            if outside and squashed(group) in by_text | by_name and not sender.person:
                return group
        return ""

    def says_the_same(self, sender: Sender, student: str) -> bool:
        """Whether the sender's name is also the student's."""
        return has_name(sender.name, self.known[student])

    def inside(self, upload: Upload, *students: str) -> list[str]:
        """Return folders of other people; none if the whole upload may be one student's work.

        Two folders with the same notebook are those of two people, whatever they are called.
        """
        paths = list(upload.files)
        while not any(len(path) == 1 and path[0].endswith(NOTEBOOK) for path in paths):
            paths = [path for path in paths if len(path) > 1]
            folders = sorted({path[0] for path in paths})
            others = [name for name in folders if self._who_may_have(name) - {*students}]
            notebooks = Counter(path[1:] for path in paths if path[-1].endswith(NOTEBOOK))
            if others or any(times > 1 for times in notebooks.values()):
                return folders
            if len(folders) != 1:
                break
            paths = [path[1:] for path in paths]
        return []

    def _who_may_have(self, folder: str) -> set[str]:
        by_id = (self._by_id, self._by_lms_id, *self._by_kind.values())
        found = {student for id in possible_users(folder) for index in by_id for student in index.get(id)}
        return found | self._by_name.get(_in_words(folder.replace("_", " ")), set())

    def _with_id(self, id: str, lms: bool, sender: Sender) -> set[str]:
        """Return the students with an id or email address; only GitHub's ids count, if the class has any."""
        kind = sender.kind
        if kind == GITHUB and any(kind in of for of in self.ids.values()):
            return self._by_kind[kind].get(id)
        kinds = (one for one in OTHER_IDS if one != GITHUB and kind in ("", one))
        named = self._by_id.get(id).union(*(self._by_kind[one].get(id) for one in kinds))
        by_id = {student for student in named if not (lms and self.known[student].lms_user_id)}
        if id in sender.numbers:
            by_id = {student for student in by_id if _may_have_name(sender.name, self.known[student])}
        return by_id | (self._by_lms_id.get(id) if lms else set()) | self._by_email.get(id)

    def _named(self, sender: Sender, lms: bool) -> set[str]:
        return {
            id
            for id, student in self.known.items()
            if has_name(sender.name, student)
            and not (lms and student.lms_user_id)
            and not _other_address(sender, student)
        }

    def _with_its_name(self, sender: Sender, student: str) -> set[str]:
        """Return other students with the sender's name; nobody if the student also has it."""
        # The name of a folder is an id or a name.
        texts = (sender.name,) if sender.kind else (sender.name, *sender.ids)
        found: set[str] = set()
        for words in map(_in_words, texts):
            found |= self._by_name.get(words, set())
            found |= self._by_joined_name.get(words[0], set()) if len(words) == 1 else set()
        return set() if student in found else found

    def _contradicted(self, sender: Sender, student: Student) -> bool:
        """Whether all other known data differ: on some platforms, users type their ids themselves."""
        other_name = bool(sender.name and _words(student)) and not has_name(sender.name, student)
        return other_name and _other_address(sender, student)


class _Index:
    """Students by a text; if texts differ only in case, the exact one decides."""

    def __init__(self, pairs: Iterable[tuple[str, Student]]):
        self._same: dict[str, set[str]] = defaultdict(set)
        self._alike: dict[str, set[str]] = defaultdict(set)
        for text, student in pairs:
            if text:
                text = unicodedata.normalize("NFC", text)
                self._same[text].add(student.id)
                self._alike[text.casefold()].add(student.id)

    def get(self, text: str) -> set[str]:
        text = unicodedata.normalize("NFC", text)
        return set(self._same.get(text) or self._alike.get(text.casefold()) or ())


def has_name(name: str, student: Student) -> bool:
    """Whether this is the student's name, in either order; Canvas's names have no spaces."""
    words = _in_words(name)
    orders = _words(student)
    return words in orders or (len(words) == 1 and words[0] in {"".join(order) for order in orders})


def _may_have_name(name: str, student: Student) -> bool:
    """Whether a name, possibly without spaces and accents, has a word of the student's; also if one is unknown."""
    words = [word for words in _words(student) for word in words if len(word) > 1 or not word.isascii()]
    written = _without_accents(name)
    return (
        not name
        or not words
        or any(text in whole for word in words for text in _without_accents(word) for whole in written)
    )


def _without_accents(text: str) -> tuple[str, str]:
    """Return the letters and digits as systems write them that have only A to Z: Mueller or Muller for Müller."""
    plain = (unicodedata.normalize("NFKD", one) for one in (text.casefold().translate(UMLAUTS), text.casefold()))
    first, second = ("".join(filter(str.isalnum, one)) for one in plain)
    return first, second


def squashed(name: str) -> str:
    """Return a name as in Canvas's file names: only letters and digits."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", name).casefold()))


def _in_words(name: str) -> tuple[str, ...]:
    return tuple(filter(None, map(squashed, name.split())))


def _words(student: Student) -> set[tuple[str, ...]]:
    first, last = (_in_words(name or "") for name in (student.first_name, student.last_name))
    return {first + last, last + first} - {()}


def _other_address(sender: Sender, student: Student) -> bool:
    addresses = [id.casefold() for id in sender.ids if "@" in id]
    return bool(addresses and student.email) and student.email.casefold() not in addresses
