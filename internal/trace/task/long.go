package task

import (
	"sort"
	"time"

	"cove/internal/trace/event"
)

// explained is how many of a set's long tasks are reported with the work that ran in them.
const explained = 20

// Task is a long task of the main thread.
type Task struct {
	Start, Duration, Blocking time.Duration
	// Kind is the longest piece of work in the task ("timer callback", "layout"); empty when the trace does not say.
	Kind string
	// Script is the script that ran longest in the task. Function is the function that was itself busy for most of the
	// time, which is Busy.
	Script   event.Location
	Function event.Location
	Busy     time.Duration
}

// Long returns the tasks of a process's main thread over 50 ms, the longest first, and the sum of their blocking times.
func (l *Log) Long(pid int, b event.Bounds) ([]Task, time.Duration) {
	var all []activity
	until := int64(0)
	for _, a := range l.tasks {
		// A task inside another one (a nested message loop) is not counted twice.
		if !l.page.OnMain(a.thread, pid) || !b.Contains(a.from) || a.from < until {
			continue
		}
		until = a.to
		all = append(all, a)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].to-all[i].from > all[j].to-all[j].from })
	var tasks []Task
	var total time.Duration
	for i, a := range all {
		task := Task{Start: event.Span(b.Min, a.from), Duration: event.Span(a.from, a.to),
			Blocking: event.Span(a.from+longTask, a.to)}
		total += task.Blocking
		if i < explained {
			l.explain(&task, a)
		}
		tasks = append(tasks, task)
	}
	return tasks, total
}

// explain finds the longest piece of work in a task (the outermost, if several are equally long), the longest script,
// and the busiest function.
func (l *Log) explain(task *Task, in activity) {
	from := sort.Search(len(l.activities), func(i int) bool { return l.activities[i].from >= in.from })
	var longest, script int64
	for _, a := range l.activities[from:] {
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
	where, busy := l.hottest(in.thread, in.from, in.to)
	task.Function, task.Busy = where, event.Span(0, busy)
}
