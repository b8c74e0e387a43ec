package process

import (
	"bufio"
	"bytes"
	"context"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// table reads the process table from ps, which every macOS has. It does not tell shared memory from private.
func table() ([]row, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "/bin/ps", "-axo", "pid=,ppid=,rss=,time=").Output()
	if err != nil {
		return nil, err
	}
	var rows []row
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 4 {
			continue
		}
		pid, err1 := strconv.Atoi(fields[0])
		parent, err2 := strconv.Atoi(fields[1])
		kilobytes, err3 := strconv.ParseInt(fields[2], 10, 64)
		if err1 == nil && err2 == nil && err3 == nil {
			rows = append(rows, row{pid: pid, parent: parent, private: kilobytes << 10, cpu: clock(fields[3])})
		}
	}
	return rows, nil
}

// fill has nothing to add: the table has everything.
func (*row) fill() {}

// clock reads a time as ps writes it: minutes, seconds and hundredths as in 12:34.56, with hours before them as in
// 1:12:34.
func clock(text string) (total time.Duration) {
	for part := range strings.SplitSeq(text, ":") {
		seconds, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return 0
		}
		total = total*60 + time.Duration(seconds*float64(time.Second))
	}
	return total
}
