//go:build unix

package process

import "golang.org/x/sys/unix"

// SessionLeader returns the number of the process that leads a process's session: the shell of its terminal. It is 0
// when that is not known.
func SessionLeader(pid int) int {
	leader, err := unix.Getsid(pid)
	if err != nil {
		return 0
	}
	return leader
}
