"""Keys of certificate authorities, read from verified chains and from certificates."""

from __future__ import annotations

import hashlib
import ssl
import sys
from pathlib import Path

import certifi
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from paytui.api.http.tls import authority_keys, public_key
from tests.support.secured import Authority, shaken


def key_of(certificate: x509.Certificate) -> bytes:
    """Its public key, as another library reads it."""
    return certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def digest(file: Path) -> str:
    return hashlib.sha256(key_of(x509.load_pem_x509_certificate(file.read_bytes()))).hexdigest()


@pytest.fixture
def root(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "root", "Acme Trust")


def test_the_interpreter_tells_the_verified_chain(root: Authority) -> None:
    """If this fails on a new Python, `verified_chain` needs another way to the chain."""
    where = ssl.SSLObject if sys.version_info >= (3, 13) else vars(ssl)["_ssl"]._SSLSocket
    assert hasattr(where, "get_verified_chain")
    assert authority_keys(shaken(root.server(), root.file)) == (digest(root.file),)


def test_it_tells_each_authority_the_roots_last(root: Authority, tmp_path: Path) -> None:
    between = Authority(tmp_path / "between", "Acme Trust", root)
    ours = shaken(between.server(), root.file)
    assert authority_keys(ours) == (digest(between.file), digest(root.file))


def test_a_certificate_that_is_trusted_by_itself_is_its_own_authority(
    root: Authority, tmp_path: Path
) -> None:
    server = root.server()
    shown = shaken(server, root.file).getpeercert(binary_form=True)
    assert shown is not None
    itself = tmp_path / "itself.pem"
    itself.write_text(ssl.DER_cert_to_PEM_cert(shown))
    assert authority_keys(shaken(server, itself)) == (digest(itself),)


@pytest.mark.filterwarnings("ignore:Parsed a serial number")
def test_the_key_of_each_authority_of_browsers_is_found() -> None:
    believed = x509.load_pem_x509_certificates(Path(certifi.where()).read_bytes())
    assert len(believed) > 100
    for each in believed:
        assert public_key(each.public_bytes(Encoding.DER)) == key_of(each)
