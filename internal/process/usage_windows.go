package process

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryCounters is PROCESS_MEMORY_COUNTERS_EX of the system's headers.
type memoryCounters struct {
	size, faults                                         uint32
	peakWorkingSet, workingSet                           uintptr
	peakPagedPool, pagedPool, peakNonPagedPool, nonPaged uintptr
	pagefile, peakPagefile, private                      uintptr
}

var getMemory = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// table reads the process table. Processes of other users have no figures.
func table() ([]row, error) {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = windows.CloseHandle(snapshot) }()
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	var rows []row
	for err = windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		rows = append(rows, row{pid: int(entry.ProcessID), parent: int(entry.ParentProcessID)})
	}
	return rows, nil
}

// fill reads what a process uses.
func (r *row) fill() {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(r.pid))
	if err != nil {
		return
	}
	defer func() { _ = windows.CloseHandle(h) }()
	var made, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &made, &ended, &kernel, &user) == nil {
		r.cpu = span(kernel) + span(user)
	}
	var m memoryCounters
	m.size = uint32(unsafe.Sizeof(m))
	if ok, _, _ := getMemory.Call(uintptr(h), uintptr(unsafe.Pointer(&m)), uintptr(m.size)); ok != 0 {
		r.private = int64(m.private)
	}
}

// span returns a Filetime that counts hundreds of nanoseconds as a duration.
func span(t windows.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
