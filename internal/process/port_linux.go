package process

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Listener finds the process that listens on a port of this computer. It returns false for a process of another user,
// which it cannot see.
func Listener(port int) (name string, pid int, ok bool) {
	sockets := map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		raw, err := os.ReadFile(table)
		if err != nil {
			continue
		}
		lines := bufio.NewScanner(bytes.NewReader(raw))
		for lines.Scan() {
			fields := strings.Fields(lines.Text())
			const listening = "0A"
			if len(fields) > 9 && fields[3] == listening && strings.HasSuffix(fields[1], fmt.Sprintf(":%04X", port)) {
				sockets["socket:["+fields[9]+"]"] = true
			}
		}
	}
	if len(sockets) == 0 {
		return "", 0, false
	}
	files, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, file := range files {
		if target, err := os.Readlink(file); err != nil || !sockets[target] {
			continue
		}
		dir := filepath.Dir(filepath.Dir(file))
		pid, err := strconv.Atoi(filepath.Base(dir))
		comm, err2 := os.ReadFile(dir + "/comm")
		if err != nil || err2 != nil {
			continue // it has just ended
		}
		return plain(string(comm)), pid, true
	}
	return "", 0, false
}

// plain removes the characters of a program's name that a terminal would interpret.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return -1
		}
		return r
	}, strings.TrimSpace(name))
}
