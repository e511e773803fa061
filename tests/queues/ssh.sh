#!/bin/sh
# A census by ssh on two machines, in parts and by a coordinator: as root. The machines are network
# namespaces, each with a server of OpenSSH; a third host cannot be reached, and one of the two is
# cut off for a while.
#   sh tests/queues/ssh.sh MISERE
# The networks are made in a namespace, too, so that those of this machine stay as they are.
if [ "${SSH_TEST_NETWORK:-}" != own ]; then
    command -v sshd >/dev/null || [ -x /usr/sbin/sshd ] || { echo "error: apt-get install openssh-server openssh-client" >&2; exit 1; }
    SSH_TEST_NETWORK=own exec unshare --net sh "$0" "$@"
fi
stop_queue() { :; }
. "$(dirname "$0")/common.sh"

ip link set dev lo up
ip link add bridge type bridge
ip addr add 10.77.0.1/24 dev bridge
ip link set dev bridge up
mkdir -p /run/sshd
ssh-keygen -q -t ed25519 -N '' -f "$LAB/host"
ssh-keygen -q -t ed25519 -N '' -f "$LAB/user"
# In a folder that everybody can write, such as /tmp, a strict server trusts no key.
cat >"$LAB/sshd_config" <<END
HostKey $LAB/host
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
PermitRootLogin prohibit-password
AuthorizedKeysFile $LAB/user.pub
END
cat >"$LAB/ssh_config" <<END
Host one
    HostName 10.77.0.2
Host two
    HostName 10.77.0.3
Host dead
    HostName 10.77.0.9
Host *
    IdentityFile $LAB/user
    UserKnownHostsFile $LAB/known_hosts
    StrictHostKeyChecking accept-new
    ConnectTimeout 2
    ServerAliveInterval 2
END
# A machine with this name and address.
machine() {
    start "network-$1.log" unshare --net sleep 3600
    await "the network of $1" sh -c "[ \"\$(readlink /proc/$started/ns/net)\" != \"\$(readlink /proc/self/ns/net)\" ]"
    ip link add "$1" type veth peer name eth0 netns "$started"
    ip link set dev "$1" master bridge up
    nsenter --target "$started" --net sh -c "ip link set dev lo up; ip addr add $2/24 dev eth0; ip link set dev eth0 up"
    start "sshd-$1.log" nsenter --target "$started" --net /usr/sbin/sshd -D -e -f "$LAB/sshd_config"
    await "the server of $1" ssh -F "$LAB/ssh_config" "$1" true
}
machine one 10.77.0.2
machine two 10.77.0.3
by_ssh() { echo "ssh --hosts $1 --directive=-F$LAB/ssh_config"; }

say "the command is killed, and the processes on the machines go on"
# shellcheck disable=SC2046
start submit-1.log submit $(by_ssh one,dead,two) --parts 6
await "results" results 4000
signal KILL "census submit"
say "a job is killed; the same command is given again, and a machine is cut off"
processes "census chunk" | head -n 1 | xargs -r kill -9
# shellcheck disable=SC2046
start submit-2.log submit $(by_ssh one,dead,two)
sleep 1
ip link set dev two down
sleep 10
ip link set dev two up
say "the command is interrupted, a part is cut short, and the command is given once more"
signal TERM "census submit"
await "the end of the command" gone "census submit"
await "the end of the jobs" gone "census chunk"
cut_short "$LAB/census/submit/parts/part-0"
# shellcheck disable=SC2046
submit $(by_ssh one,dead,two) >"$LAB/summary" 2>"$LAB/submit-3.log"
same_digest "$LAB/census"
cat "$LAB"/submit-*.log | sort | uniq -c

# shellcheck disable=SC2046
coordinated $(by_ssh one,two) --address 10.77.0.1
# shellcheck disable=SC2046
overhead 20 $(by_ssh one,two)
