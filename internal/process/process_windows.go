package process

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"unsafe"

	"golang.org/x/sys/windows"
)

const stillActive = 259

func lookup(pid int) (Info, bool) {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return Info{}, false
	}
	defer func() { _ = windows.CloseHandle(h) }()
	var code uint32
	if windows.GetExitCodeProcess(h, &code) != nil || code != stillActive {
		return Info{}, false
	}
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &created, &exited, &kernel, &user) != nil {
		return Info{}, false
	}
	info := Info{ID: ID{PID: pid, Start: fmt.Sprint(created.Nanoseconds())}}
	info.Args = commandLine(h)
	return info, true
}

func commandLine(h windows.Handle) []string {
	buf := make([]byte, 64<<10)
	var n uint32
	if windows.NtQueryInformationProcess(h, windows.ProcessCommandLineInformation, unsafe.Pointer(&buf[0]),
		uint32(len(buf)), &n) != nil {
		return nil
	}
	line := (*windows.NTUnicodeString)(unsafe.Pointer(&buf[0])).String()
	args, err := windows.DecomposeCommandLine(line)
	if err != nil {
		return nil
	}
	return args
}

// interrupt closes the program's windows: Windows has no Ctrl-C for a program without a console.
func interrupt(pid int) error {
	return exec.Command("taskkill", "/PID", strconv.Itoa(pid)).Run()
}

func watchExit(ctx context.Context, id ID) bool {
	h, err := windows.OpenProcess(windows.SYNCHRONIZE|windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(id.PID))
	if err != nil {
		return false
	}
	defer func() { _ = windows.CloseHandle(h) }()
	if !id.Alive() {
		return true
	}
	for ctx.Err() == nil {
		if s, err := windows.WaitForSingleObject(h, 250); err != nil {
			return false
		} else if s == windows.WAIT_OBJECT_0 {
			return true
		}
	}
	return false
}
