package process

import (
	"os"
	"testing"
	"time"
)

func TestALoadIsThatOfAProcessAndItsDescendants(t *testing.T) {
	rows := []row{
		{pid: 1, private: 1, cpu: time.Hour},
		{pid: 10, parent: 1, private: 100, shared: 50, cpu: time.Second},
		{pid: 11, parent: 10, private: 200, shared: 80, cpu: 2 * time.Second},
		{pid: 12, parent: 11, private: 300, shared: 20},
		{pid: 20, parent: 1, private: 5, cpu: time.Second},
	}
	nothing := func(*row) {}
	var m Meter
	m.measure(rows, []int{10, 20, 99}, time.Hour, nothing)
	if got, want := m.loads[10], (Load{Memory: 680, Processes: 3}); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	if _, there := m.loads[99]; there || m.loads[20].Processes != 1 {
		t.Errorf("%+v", m.loads)
	}
	rows[2].cpu += time.Second
	m.measure(rows, []int{10, 20}, 4*time.Second, nothing)
	if m.loads[10].CPU != 25 || m.loads[20].CPU != 0 {
		t.Errorf("%+v", m.loads)
	}
	m.measure(rows[:2], []int{10}, time.Second, nothing) // its children have ended
	if m.loads[10].CPU != 0 {
		t.Errorf("%+v", m.loads)
	}
}

func TestTheMeterReadsThisProcess(t *testing.T) {
	var m Meter
	loads, err := m.Read(os.Getpid())
	if got := loads[os.Getpid()]; err != nil || got.Memory < 1<<20 || got.Processes < 1 {
		t.Errorf("%+v %v", got, err)
	}
	before := m.at
	if _, err := m.Read(os.Getpid()); err != nil || m.at != before && time.Since(before) < meterInterval {
		t.Errorf("read again at once: %v", err)
	}
}

func BenchmarkMeter(b *testing.B) {
	for range b.N {
		var m Meter
		if _, err := m.Read(os.Getpid()); err != nil {
			b.Fatal(err)
		}
	}
}
