package trace

import (
	"fmt"
	"sort"
	"time"
)

// explained is how many of a set's long tasks are reported with what ran in them.
const explained = 20

// Task is a long task of the main thread.
type Task struct {
	Start, Duration, Blocking time.Duration
	// Kind is what the task spent most of its time on ("timer callback", "layout"); empty when the trace does not say.
	Kind string
	// Script is the outermost script of it, and Function the one that was busy itself, for Busy of the time.
	Script   Location
	Function Location
	Busy     time.Duration
}

// longTasks are the tasks over 50 ms, the longest first, and their blocking time together.
func (t *Trace) longTasks(pid int, b Bounds) ([]Task, time.Duration) {
	var all []activity
	until := int64(0)
	for _, a := range t.tasks {
		// A task inside another one (a nested message loop) is not counted twice.
		if !t.onMain(a.thread, pid) || !b.contains(a.from) || a.from < until {
			continue
		}
		until = a.to
		all = append(all, a)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].to-all[i].from > all[j].to-all[j].from })
	var tasks []Task
	var total time.Duration
	for i, a := range all {
		task := Task{Start: span(b.Min, a.from), Duration: span(a.from, a.to), Blocking: span(a.from+longTask, a.to)}
		total += task.Blocking
		if i < explained {
			t.explain(&task, a)
		}
		tasks = append(tasks, task)
	}
	return tasks, total
}

func (t *Trace) onMain(th thread, pid int) bool {
	if pid != 0 && th.pid != pid {
		return false
	}
	return len(t.threads) == 0 || t.threads[th]
}

// explain finds the longest piece of work in a task, the outermost of equals, and the function that was busy.
func (t *Trace) explain(task *Task, in activity) {
	from := sort.Search(len(t.activities), func(i int) bool { return t.activities[i].from >= in.from })
	var longest, script int64
	for _, a := range t.activities[from:] {
		if a.from >= in.to {
			break
		}
		if a.thread != in.thread || a.to > in.to {
			continue
		}
		if d := a.to - a.from; d > longest {
			longest, task.Kind = d, a.kind
		}
		if d := a.to - a.from; a.where.URL != "" && d > script {
			script, task.Script = d, a.where
		}
	}
	where, busy := t.hottest(in.thread, in.from, in.to)
	task.Function, task.Busy = where, span(0, busy)
}

func (l Location) String() string {
	if l.URL == "" && l.Function == "" {
		return "unknown"
	}
	text := clean(l.URL)
	if l.Lineno > 0 {
		text += fmt.Sprintf(":%d", l.Lineno)
	}
	if l.Function != "" {
		text = clean(l.Function) + " at " + text
	}
	return text
}
