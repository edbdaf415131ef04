#!/usr/bin/env bash
# The tests of the hub in a browser with Linux users: each person has an account with a password, and their own server.
#
# It needs root, and leaves the machine unchanged: accounts, homes and courses are in a separate mount namespace, and the
# hub listens in a separate network namespace.  The clone is copied to a place that everybody can read, as on a server,
# and set up with a Python that everybody can run ($HUB_PYTHON; default: /usr/bin/python3.11).
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
python=${HUB_PYTHON:-/usr/bin/python3.11}

if [ "$(id -u)" != 0 ]; then
    echo "make test-hub: needs root, for accounts of Linux. Without it, 'make test' runs the same without accounts." >&2
    exit 1
fi
if [ "${1:-}" != inside ]; then
    exec unshare --mount --propagation private -- bash "$0" inside
fi

# Copies of the files that useradd and passwd change, and new folders for the files that they create.
place=$(mktemp -d)
trap 'umount -l /etc /home /srv 2>/dev/null; rm -rf -- "$place"' EXIT
cp -a /etc "$place/etc"
mkdir -p "$place/home" "$place/srv" && chmod 755 "$place" "$place/home" "$place/srv"
for folder in etc home srv; do
    mkdir -p "/$folder"
    mount --bind "$place/$folder" "/$folder"
done

mkdir /srv/syncpoint
(cd "$root" && git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- -c) | tar -x -C /srv/syncpoint
cd /srv/syncpoint
PYTHON=$python ENGINE_PYTHON=$python TORCH_PYTHON=$python bash scripts/setup.sh hub
if command -v npm >/dev/null; then bash scripts/setup.sh axe; fi # without it the tests of accessibility are skipped
unshare --net -- bash -c '
    ip link set lo up
    SYNCPOINT_TEST_HUB=accounts .venv/bin/python -m pytest -m "" -p no:cacheprovider -q tests/hub/test_hub_browser.py tests/hub/test_hub_languages.py
'
