package process

import "os"

// Ancestors returns the processes above this one, the nearest first.
func Ancestors() (all []Info) {
	seen := map[int]bool{}
	for pid := os.Getppid(); pid > 0 && !seen[pid]; {
		info, ok := Lookup(pid)
		if !ok {
			return all
		}
		seen[pid] = true
		all = append(all, info)
		if pid = info.Parent; pid == 0 {
			pid = parentOf(info.PID)
		}
	}
	return all
}

// parentOf looks a parent up in the process table, for systems that tell it nowhere else.
func parentOf(pid int) int {
	rows, err := table()
	if err != nil {
		return 0
	}
	for _, r := range rows {
		if r.pid == pid {
			return r.parent
		}
	}
	return 0
}
