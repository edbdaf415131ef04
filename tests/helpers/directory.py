"""A real directory for tests: OpenLDAP's slapd, in a folder of its own, on a port of this machine, with TLS."""

import datetime
import ipaddress
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import ldap3
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from dashboard_server import free_port

SLAPD = shutil.which("slapd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
NO_SLAPD = "no directory to log in to: OpenLDAP's server slapd is not installed (apt install slapd)"
BASE = "dc=school,dc=example"
PEOPLE = f"uid={{username}},ou=people,{BASE}"
CONFIG = """\
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
TLSCertificateFile {folder}/cert.pem
TLSCertificateKeyFile {folder}/key.pem
security simple_bind=128
database mdb
suffix "{base}"
rootdn "cn=admin,{base}"
rootpw {secret}
directory {folder}/data
maxsize 10485760
access to attrs=userPassword by anonymous auth by * none
access to * by users read by * none
"""


@dataclass(frozen=True)
class Directory:
    """A running slapd.  It takes passwords over TLS only.

    Attributes:
        secure: Its address with TLS from the beginning.
        plain: Its address where TLS begins when it is asked for.
        ca: The certificate that vouches for it.
    """

    secure: str
    plain: str
    ca: Path


def certify(folder: Path) -> None:
    """Write a certificate for 127.0.0.1 that vouches for itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "key.pem").write_bytes(private)


@contextmanager
def running(passwords: dict[str, str]) -> Iterator[Directory]:
    """A directory in which these people have these passwords."""
    assert SLAPD is not None
    folder = Path(tempfile.mkdtemp(prefix="ldap-", dir="/tmp"))
    (folder / "data").mkdir()
    certify(folder)
    secret = os.urandom(12).hex()
    (folder / "slapd.conf").write_text(CONFIG.format(folder=folder, base=BASE, secret=secret))
    names = {user.pw_name for user in pwd.getpwall()}
    become = []
    if os.getuid() == 0:  # as its own user, if Debian has made that
        user = "openldap" if "openldap" in names else "nobody"
        subprocess.run(["chown", "-R", f"{user}:", folder], check=True)
        become = ["-u", user]
    plain, secure = (f"ldap{s}://127.0.0.1:{free_port()}" for s in ("", "s"))
    command = [SLAPD, "-d", "0", "-f", folder / "slapd.conf", "-h", f"{plain} {secure}", *become]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        administrator = _connected(secure, secret, process, folder / "log")
        administrator.add(BASE, ["dcObject", "organization"], {"dc": "school", "o": "school"})
        administrator.add(f"ou=people,{BASE}", "organizationalUnit")
        for name, password in passwords.items():
            about = {"cn": name, "sn": name, "userPassword": password}
            assert administrator.add(PEOPLE.format(username=name), "inetOrgPerson", about), administrator.result
        administrator.unbind()
        yield Directory(secure, plain, folder / "cert.pem")
    finally:
        process.terminate()
        process.wait(60)
        shutil.rmtree(folder)


def _connected(address: str, secret: str, process: "subprocess.Popen[bytes]", log: Path) -> ldap3.Connection:
    ends = time.monotonic() + 60
    while True:
        try:
            return ldap3.Connection(ldap3.Server(address), f"cn=admin,{BASE}", secret, auto_bind=True)
        except ldap3.core.exceptions.LDAPSocketOpenError:
            assert process.poll() is None and time.monotonic() < ends, log.read_text()
            time.sleep(0.05)
