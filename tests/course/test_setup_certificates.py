"""Set-up behind a proxy that looks into TLS: uv trusts what the system trusts.

A package index of this machine's own has a certificate that is signed by nobody but the system's list in a sandbox.
"""

import datetime
import ipaddress
import ssl
import subprocess
import threading
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from classroom import BIN, ROOT
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from syncpoint.sandbox.spec import find_bubblewrap

Install = Callable[..., subprocess.CompletedProcess[str]]
UV = BIN / "uv"
pytestmark = pytest.mark.skipif(not UV.exists(), reason="the tools were installed without uv")
WHEEL = "small-1.0-py3-none-any.whl"
SETUP = """
. syncpoint/engines/setup/certificates.sh
[ "$3" = before ] || trust_the_system "$1"
"$1" --no-config pip install --quiet --no-cache --target "$4" --default-index "$2" small
"""


class Quiet(SimpleHTTPRequestHandler):
    """A server that logs nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def write_index(folder: Path) -> None:
    """A package index with one package."""
    (folder / "simple" / "small").mkdir(parents=True)
    with zipfile.ZipFile(folder / WHEEL, "w") as wheel:
        wheel.writestr("small.py", "")
        about = "small-1.0.dist-info"
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: small\nVersion: 1.0\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "".join(f"{name},,\n" for name in wheel.namelist()))
    (folder / "simple" / "small" / "index.html").write_text(f'<a href="../../{WHEEL}">{WHEEL}</a>')


def write_certificates(folder: Path) -> tuple[Path, Path]:
    """An authority of our own, and a certificate with its key that it has signed for this machine."""
    now = datetime.datetime.now(datetime.UTC)
    authority = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority of this test's")])
    signing, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())

    def certificate(key: ec.EllipticCurvePrivateKey, name: x509.Name, is_authority: bool) -> x509.Certificate:
        addresses = [x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(authority)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
            .add_extension(x509.SubjectAlternativeName(addresses), critical=False)
            .sign(signing, hashes.SHA256())
        )

    pem = serialization.Encoding.PEM
    root, server = folder / "root.pem", folder / "server.pem"
    root.write_bytes(certificate(signing, authority, True).public_bytes(pem))
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    written = own.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    server.write_bytes(certificate(own, name, False).public_bytes(pem) + written)
    return root, server


@pytest.fixture
def install(tmp_path: Path) -> Iterator[Install]:
    """Install the package, on a system whose list of certificates has that authority, or is empty."""
    index, system = tmp_path / "index", tmp_path / "certs"
    index.mkdir()
    system.mkdir()
    write_index(index)
    root, key = write_certificates(tmp_path)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=index))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def run(when: str = "", known: bool = True, **variables: str) -> subprocess.CompletedProcess[str]:
        if known:
            (system / "ca-certificates.crt").write_bytes(root.read_bytes())
        sandbox = [find_bubblewrap(), "--bind", "/", "/", "--dev", "/dev", "--bind", str(system), "/etc/ssl/certs"]
        where = f"https://127.0.0.1:{server.server_port}/simple"
        command = ["bash", "-euc", SETUP, "setup", str(UV), where, when, str(tmp_path / "installed")]
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "UV_HTTP_RETRIES": "0", **variables}
        return subprocess.run([*sandbox, *command], cwd=ROOT, env=environment, capture_output=True, text=True)

    yield run
    server.shutdown()
    server.server_close()


def test_uv_trusts_whom_the_system_trusts(install: Install, tmp_path: Path):
    done = install()
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "installed" / "small.py").exists()


def test_without_this_uv_does_not(install: Install):
    done = install("before")
    assert done.returncode != 0 and "UnknownIssuer" in done.stderr


def test_whom_the_system_does_not_know_nobody_trusts(install: Install):
    assert install(known=False).returncode != 0


def test_who_chose_otherwise_is_heard(install: Install):
    assert install(UV_SYSTEM_CERTS="false").returncode != 0
