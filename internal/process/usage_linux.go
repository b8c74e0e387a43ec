package process

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of processor time in /proc. It is a constant of the kernel's interface on every system that Go runs
// on.
const tick = 10 * time.Millisecond

// table reads the process table. A process that ends meanwhile is left out.
func table() ([]row, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	rows := make([]row, 0, len(names))
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue
		}
		if r, ok := parseRow(stat); ok {
			r.pid = pid
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// parseRow reads the file stat of a process. The program's name in it may hold anything, so the fields are counted from
// its end.
func parseRow(stat []byte) (r row, ok bool) {
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 13 {
		return r, false
	}
	parent, err1 := strconv.Atoi(fields[1])
	user, err2 := strconv.ParseInt(fields[11], 10, 64)
	system, err3 := strconv.ParseInt(fields[12], 10, 64)
	r.parent, r.cpu = parent, time.Duration(user+system)*tick
	return r, errors.Join(err1, err2, err3) == nil
}

// fill reads how much memory a process uses.
func (r *row) fill() {
	statm, err := os.ReadFile("/proc/" + strconv.Itoa(r.pid) + "/statm")
	sizes := strings.Fields(string(statm))
	if err != nil || len(sizes) < 3 {
		return
	}
	resident, err1 := strconv.ParseInt(sizes[1], 10, 64)
	shared, err2 := strconv.ParseInt(sizes[2], 10, 64)
	if errors.Join(err1, err2) == nil {
		page := int64(os.Getpagesize())
		r.private, r.shared = (resident-shared)*page, shared*page
	}
}
