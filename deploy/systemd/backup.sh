#!/usr/bin/env bash
# Backs up a course, even while it is being graded.
#
#   backup.sh COURSE FOLDER [DATABASE]
#
# FOLDER gets a folder named after the time in UTC, which appears only when it is complete:
#
#   graded.tar.gz   what grading can produce again: autograded/, feedback/, the store
#   gradebook.db    or, with a DATABASE of PostgreSQL's (its name, or postgresql://...), gradebook.dump
#   course.tar.gz   everything else but environments: submitted/, work that was replaced, sources, graders, settings, keys
#
# They are written in this order, so no mark is newer than the work in the backup: submissions that are graded meanwhile
# are graded again after a restore.  KEEP is the number of backups to keep; 0 keeps all.
set -euo pipefail
umask 077

stop() {
    printf 'backup.sh: %s\n' "$*" >&2
    exit 1
}

[ $# -eq 2 ] || [ $# -eq 3 ] || stop "name the course and the target folder: backup.sh COURSE FOLDER [DATABASE]"
[ -f "$1/nbgrader_config.py" ] || stop "$1 is not a course: it has no nbgrader_config.py."
course=$(cd -- "$1" && pwd -P)
folder=$(realpath --canonicalize-missing -- "$2") # it may not exist yet, and is created only at an allowed place
database=${3:-}
keep=${KEEP:-30}
case "$folder/" in
"$course"/*) stop "$folder is inside the course: a backup belongs on another disk." ;;
esac
mkdir -p -- "$folder"
place=$folder/$(date -u +%Y%m%dT%H%M%SZ)
[ ! -e "$place" ] || stop "$place already exists."
mkdir -- "$place.part"
trap 'rm -rf -- "$place.part"' EXIT

# tar's status 1 means that a file changed or vanished while it was read: half-written work is graded again.
pack() { # FILE TAR'S-ARGUMENTS...
    local status=0
    tar --create --gzip --file "$place.part/$1" --directory "$course" --warning=no-file-changed \
        --warning=no-file-removed "${@:2}" || status=$?
    [ "$status" -le 1 ] || stop "tar could not write $1; the lines above say why."
}

graded=(autograded feedback .syncpoint/results .syncpoint/submissions)
there=()
for name in "${graded[@]}"; do
    [ ! -e "$course/$name" ] || there+=("./$name")
done
pack graded.tar.gz --files-from /dev/null "${there[@]}"
if [ -n "$database" ]; then
    pg_dump --format=custom --no-owner --file "$place.part/gradebook.dump" --dbname "$database"
elif [ -f "$course/gradebook.db" ]; then
    command -v sqlite3 >/dev/null || stop "sqlite3 is missing: install it (Debian: apt install sqlite3)."
    sqlite3 -bail -cmd '.timeout 60000' "$course/gradebook.db" "VACUUM INTO '${place//\'/\'\'}.part/gradebook.db'"
    [ "$(sqlite3 "$place.part/gradebook.db" 'PRAGMA integrity_check')" = ok ] || stop "the gradebook is damaged."
else
    stop "$course has no gradebook.db: give its database as the third argument (docs/how-to/backup-and-upgrade.md)."
fi
pack course.tar.gz "${graded[@]/#/--exclude=./}" --exclude='./gradebook.db*' --exclude='./.venv*' --exclude=./build \
    --exclude=./dist --exclude=__pycache__ .
sync
mv -- "$place.part" "$place"
printf '%s\n' "$place"

find "$folder" -mindepth 1 -maxdepth 1 -name '[0-9]*Z.part' -mtime +1 -exec rm -rf {} + # remains of a killed backup
if [ "$keep" -gt 0 ]; then
    find "$folder" -mindepth 1 -maxdepth 1 -type d -name '[0-9]*T[0-9]*Z' | sort -r | tail -n "+$((keep + 1))" |
        while IFS= read -r old; do rm -rf -- "$old"; done
fi
