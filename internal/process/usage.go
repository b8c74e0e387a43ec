package process

import (
	"sync"
	"time"
)

// Load is what a process and everything that it has started use.
type Load struct {
	// Memory is in bytes. What several of the processes share counts once.
	Memory int64
	// CPU is the share of one core since the reading before, in percent. It is 0 at the first reading.
	CPU       float64
	Processes int
}

// row is one process of the system's table.
type row struct {
	pid, parent int
	// private and shared are the bytes in memory that only this process uses, and those that others may use too.
	private, shared int64
	cpu             time.Duration
}

// meterInterval is how long a reading stays good. Everybody who asks within it gets the same one.
const meterInterval = time.Second

// Meter reads what processes use. The zero value is ready to use, by any number of goroutines.
type Meter struct {
	mu    sync.Mutex
	at    time.Time
	cpu   map[int]time.Duration // of the last reading, by root
	loads map[int]Load
}

// Read returns what each of the processes uses together with its descendants. A process that is gone is left out. It
// reads the system's process table once, however many processes are asked for.
func (m *Meter) Read(pids ...int) (map[int]Load, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	since := time.Since(m.at)
	if since < meterInterval && hasAll(m.loads, pids) {
		return m.loads, nil
	}
	rows, err := table()
	if err != nil {
		return nil, err
	}
	m.measure(rows, pids, since, (*row).fill)
	m.at = time.Now()
	return m.loads, nil
}

func hasAll(loads map[int]Load, pids []int) bool {
	for _, pid := range pids {
		if _, ok := loads[pid]; !ok {
			return false
		}
	}
	return loads != nil
}

// measure sums the rows of each process and its descendants. since is the time after the reading before. fill reads
// what the table does not have.
func (m *Meter) measure(rows []row, pids []int, since time.Duration, fill func(*row)) {
	children, byID := map[int][]int{}, map[int]row{}
	for _, r := range rows {
		byID[r.pid] = r
		children[r.parent] = append(children[r.parent], r.pid)
	}
	before := m.cpu
	m.cpu, m.loads = map[int]time.Duration{}, map[int]Load{}
	for _, root := range pids {
		if _, alive := byID[root]; !alive {
			continue
		}
		var load Load
		var shared int64
		var cpu time.Duration
		for open := []int{root}; len(open) > 0; {
			r := byID[open[0]]
			open = append(open[1:], children[r.pid]...)
			delete(children, r.pid) // numbers are used again, so that a process may seem to be its own ancestor
			fill(&r)
			load.Memory, load.Processes = load.Memory+r.private, load.Processes+1
			shared, cpu = max(shared, r.shared), cpu+r.cpu
		}
		load.Memory += shared
		if last, known := before[root]; known && since > 0 {
			load.CPU = max(0, 100*float64(cpu-last)/float64(since)) // a process that ended takes its time with it
		}
		m.cpu[root], m.loads[root] = cpu, load
	}
}
