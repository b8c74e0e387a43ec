package process

import (
	"context"
	"net/netip"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// peer runs lsof, which is part of macOS. The system call for the same purpose needs cgo.
func peer(remote, local netip.AddrPort) int {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "/usr/sbin/lsof", "-nP", "-Fpn", "-sTCP:ESTABLISHED",
		"-iTCP@"+remote.String()).Output()
	if err != nil && len(out) == 0 {
		return 0
	}
	return lsofPID(string(out), remote.String()+"->"+local.String(), os.Getpid())
}

// lsofPID finds the process of a connection in the output of lsof: a line of p and the process's number, followed by a
// line of n and the name for each of its connections.
func lsofPID(out, name string, self int) int {
	pid := 0
	for line := range strings.Lines(out) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "p"):
			pid, _ = strconv.Atoi(line[1:])
		case line == "n"+name && pid != self:
			return pid
		}
	}
	return 0
}
