package process

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func lookup(pid int) (Info, bool) {
	dir := "/proc/" + strconv.Itoa(pid)
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return Info{}, false
	}
	// The name in brackets may contain any character, so the fields are counted from the last bracket.
	end := bytes.LastIndexByte(stat, ')')
	fields := strings.Fields(string(stat[end+1:]))
	if end < 0 || len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return Info{}, false
	}
	info := Info{ID: ID{PID: pid, Start: fields[19]}}
	info.Parent, _ = strconv.Atoi(fields[1])
	if line, err := os.ReadFile(dir + "/cmdline"); err == nil && len(line) > 0 {
		// Chromium rewrites its title with blanks in place of NULs, so the last argument may contain several.
		info.Args = strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")
	}
	return info, true
}

// watchExit waits on a pidfd until the process is gone. It returns false if the kernel has no pidfds or ctx ends first.
func watchExit(ctx context.Context, id ID) bool {
	fd, err := unix.PidfdOpen(id.PID, 0)
	if err != nil {
		return false
	}
	defer func() { _ = unix.Close(fd) }()
	// The number may have been handed out again before the pidfd was opened.
	if !id.Alive() {
		return true
	}
	for ctx.Err() == nil {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 250)
		if n > 0 {
			return true
		}
		if err != nil && err != unix.EINTR {
			return false
		}
	}
	return false
}
