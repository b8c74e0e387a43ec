//go:build unix

package process

import "syscall"

func interrupt(pid int) error { return syscall.Kill(pid, syscall.SIGINT) }
