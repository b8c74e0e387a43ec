//go:build unix

package journal

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// TestMain is also the body of the process that TestKilled kills: it appends entries and prints what it has recorded.
func TestMain(m *testing.M) {
	raw := os.Getenv("JOURNAL_APPEND")
	if raw == "" {
		os.Exit(m.Run())
	}
	var p Location
	if err := json.Unmarshal([]byte(raw), &p); err != nil {
		panic(err)
	}
	j := open(p, Bounds{MB: 1})
	for i := 0; ; i++ {
		e := entry(i)
		e.Name = fmt.Sprint("step ", os.Getpid(), " ", i)
		if i%50 == 0 {
			e.Screenshot = fmt.Appendf(nil, "picture %d of %d", i, os.Getpid())
		}
		j.Record(e)
		fmt.Println(i)
	}
}

func TestKilled(t *testing.T) {
	p := newLocation(t)
	raw, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	for range 60 {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "JOURNAL_APPEND="+string(raw))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		said := bufio.NewScanner(out)
		said.Scan()
		last := said.Text()
		time.AfterFunc(time.Duration(rand.IntN(10_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		for said.Scan() {
			if _, err := strconv.Atoi(said.Text()); err == nil {
				last = said.Text()
			}
		}
		_ = cmd.Wait()
		mustVerify(t, p, -1)
		pid := cmd.Process.Pid
		all, err := Read(p, Query{Newest: true, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		n, _ := strconv.Atoi(last)
		newest := -1
		for _, line := range all {
			var l Row
			_ = json.Unmarshal(line, &l)
			var whose, i int
			if _, err := fmt.Sscanf(l.Name, "step %d %d", &whose, &i); err == nil && whose == pid {
				newest = max(newest, i)
			}
		}
		if newest < n {
			t.Fatalf("step %d was recorded, the journal ends with %d: %s", n, newest, all)
		}
	}
	open(p, Bounds{MB: 1}).Close()
	mustVerify(t, p, -1)
}
