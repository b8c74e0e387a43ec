package widgets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Outcome is what came of a task.
type Outcome struct {
	Task     Task
	Believes bool   // the agent says that it is done
	Done     bool   // the page says so
	Why      string // what the agent or the page says when it is not
	Calls    int
	Texts    []string
	Took     time.Duration
}

// False tells whether the agent believes a success that is none.
func (o Outcome) False() bool { return o.Believes && !o.Done }

// Solved tells whether the task is done and the agent knows it.
func (o Outcome) Solved() bool { return o.Believes && o.Done }

// File writes the file that the uploads send into a folder that the server may read, and returns its path.
func File(dir string) (string, error) {
	path := filepath.Join(dir, "receipt.txt")
	return path, os.WriteFile(path, []byte("Three ropes, two anchors.\n"), 0o600)
}

// Run opens a task's page, lets an agent work, and asks the page what came of it.
func Run(task Task, base, file string, s Server, c Caller, note func(string, ...any)) (Outcome, error) {
	a := &Agent{Server: s, Caller: c, Note: note}
	open := s.Open(base + "/" + task.Page)
	if text, failed, err := c.Call(open.Tool, open.Arguments); err != nil || failed {
		return Outcome{}, errors.Join(err, fmt.Errorf("open %s: %s", task.Page, text))
	}
	began := time.Now()
	err := work(a, task, file)
	o := Outcome{Task: task, Believes: err == nil, Calls: a.Calls, Texts: a.Texts, Took: time.Since(began)}
	if err != nil {
		o.Why = err.Error()
	}
	verdict, err := ask(s, c, task.Check)
	if err != nil {
		return o, fmt.Errorf("ask %s: %w", task.Page, err)
	}
	o.Done = strings.Contains(verdict, "verdict-true")
	if !o.Done {
		o.Why += " | the page: " + verdict
	}
	return o, nil
}

func work(a *Agent, task Task, file string) error {
	for _, g := range task.Goals {
		if g.Value == Upload {
			g.Value, g.Row = file, filepath.Base(file)
		}
		if err := a.Reach(g); err != nil {
			return err
		}
	}
	return nil
}

// ask gives the page a moment: what a library does after an animation or an upload is done soon, or never.
func ask(s Server, c Caller, check string) (string, error) {
	call := s.Eval(fmt.Sprintf(`async () => {
		const test = new Function('record', 'with (record) { return ' + %q + ' }');
		window.beside = (list, a, b) => Math.abs(list.split(',').indexOf(a) - list.split(',').indexOf(b)) === 1;
		let ok = false;
		for (let i = 0; i < 60 && !ok; i++) {
			try { ok = test(window.record); } catch { ok = false; }
			if (!ok) await new Promise((r) => setTimeout(r, 50));
		}
		return 'verdict-' + ok + ' ' + JSON.stringify(window.record);
	}`, check))
	text, failed, err := c.Call(call.Tool, call.Arguments)
	if err != nil || failed {
		return "", errors.Join(err, errors.New(text))
	}
	return text, nil
}
