"""Network namespaces that reach a service and a database by two links, each of which can be cut.

Needs root, `ip`, `iptables` and `socat`. A seat in a namespace uses 127.0.0.1, as elsewhere:
packets to the ports of service and database leave by the links, and are lost while they are down.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

SERVICE, DATABASE = "service", "database"
DATABASE_PORT = 5432


@dataclass(frozen=True)
class Space:
    """A network namespace; `links` are the names of its links on this side."""

    name: str
    links: dict[str, str]

    @property
    def command(self) -> tuple[str, ...]:
        """Return the start of a command line that runs a program inside."""
        return ("ip", "netns", "exec", self.name)

    def cut(self, link: str) -> None:
        """Lose all packets of a link from now on."""
        run("ip", "link", "set", self.links[link], "down")

    def heal(self, link: str) -> None:
        run("ip", "link", "set", self.links[link], "up")


def run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def namespaces(count: int, service_port: int, database: Path) -> Iterator[list[Space]]:
    """Yield namespaces from which a port of this host and a database's socket are reached."""
    ports = {SERVICE: service_port, DATABASE: DATABASE_PORT}
    with ExitStack() as undo:
        run("sysctl", "-q", "net.ipv4.conf.all.route_localnet=1")
        found = []
        for number in range(count):
            space = Space(f"storm{number}", {link: f"st{number}{link[:4]}" for link in ports})
            run("ip", "netns", "add", space.name)
            undo.callback(run, "ip", "netns", "del", space.name)
            run(*space.command, "ip", "link", "set", "lo", "up")
            run(*space.command, "sysctl", "-q", "net.ipv4.conf.all.route_localnet=1")
            for place, (link, port) in enumerate(ports.items()):
                net = f"10.{77 + place}.{number}"
                _link(space, link, net, port)
                undo.callback(run, "ip", "link", "del", space.links[link])
                target = f"TCP:127.0.0.1:{port}"
                if link == DATABASE:
                    target = f"UNIX-CONNECT:{database}/.s.PGSQL.{DATABASE_PORT}"
                listens = f"TCP-LISTEN:{port},bind={net}.1,fork,reuseaddr"
                undo.enter_context(_running("socat", listens, target))
            found.append(space)
        yield found


def _link(space: Space, link: str, net: str, port: int) -> None:
    """Join a namespace with this host, and send what goes to a local port there."""
    here, there, inside = space.links[link], f"{link[:4]}0", space.command
    run("ip", "link", "add", here, "type", "veth", "peer", there, "netns", space.name)
    run("ip", "addr", "add", f"{net}.1/24", "dev", here)
    run("ip", "link", "set", here, "up")
    run(*inside, "ip", "addr", "add", f"{net}.2/24", "dev", there)
    run(*inside, "ip", "link", "set", there, "up")
    nat = (*inside, "iptables", "-t", "nat", "-A")
    to_port = ("-p", "tcp", "-d", "127.0.0.1", "--dport", str(port))
    run(*nat, "OUTPUT", *to_port, "-j", "DNAT", "--to-destination", f"{net}.1:{port}")
    run(*nat, "POSTROUTING", "-o", there, "-j", "MASQUERADE")


@contextmanager
def _running(*command: str) -> Iterator[None]:
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        yield
        process.terminate()
