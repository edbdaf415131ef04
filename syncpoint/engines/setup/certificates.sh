# Read by setup.sh: the certificates that uv trusts.  uv has its own list, which lacks the certificate of a proxy that
# inspects TLS; the system's list has it, if the system has certificates at all.

trust_the_system() { # UV
    [ "$(uname -s)" = Darwin ] || compgen -G '/etc/ssl/certs/?*' >/dev/null ||
        compgen -G '/etc/pki/tls/certs/?*' >/dev/null || [ -s /etc/ssl/cert.pem ] || return 0
    case "$("$1" pip install --help 2>/dev/null)" in
    *--system-certs*) export UV_SYSTEM_CERTS="${UV_SYSTEM_CERTS:-true}" ;;
    *) export UV_NATIVE_TLS="${UV_NATIVE_TLS:-${UV_SYSTEM_CERTS:-true}}" ;; # its name in older versions
    esac
}
