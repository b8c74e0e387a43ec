package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// changePage writes the number of the round into the page.
const changePage = `() => {
	const p = document.getElementById('bench') ||
		document.body.appendChild(Object.assign(document.createElement('p'), {id: 'bench'}));
	p.textContent = 'Round %d';
	return 1;
}`

// snapshots changes the page a little before each, so that nobody answers from memory.
func (m *match) snapshots(ctx context.Context) error {
	for _, p := range []struct {
		path   string
		rounds int
	}{{"small", 21}, {"article", 15}, {"large", 7}} {
		if err := m.goTo("/" + p.path); err != nil {
			return err
		}
		change := func(round int, r *rival) error {
			_, _, err := r.peer.do(r.eval(fmt.Sprintf(changePage, round)))
			return err
		}
		row := "snapshot " + p.path
		if err := m.timed(ctx, row, p.rounds, change, func(r *rival) []call { return []call{r.look} },
			nil); err != nil {
			return err
		}
		theirs := m.texts[row][upstream]
		n, lost := missing(theirs, m.texts[row][ours])
		if n == 0 && p.path != "small" {
			return errors.New("no element of upstream's snapshot was understood")
		}
		if len(lost) > 0 {
			m.lost = append(m.lost, fmt.Sprintf("%s: %d of %d actionable elements of upstream's are not in ours: %s",
				row, len(lost), n, strings.Join(lost[:min(3, len(lost))], ", ")))
		} else {
			m.lost = append(m.lost, fmt.Sprintf("%s: all %d actionable elements of upstream's are in ours", row, n))
		}
	}
	return nil
}

// refs takes a snapshot with each server and finds elements in it.
func (m *match) refs(role string, names ...string) ([][]string, error) {
	found := make([][]string, len(m.all))
	for s, r := range m.all {
		text, _, err := r.peer.do(r.look)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			ref, err := r.find(text, role, name)
			if err != nil {
				return nil, err
			}
			found[s] = append(found[s], ref)
		}
	}
	return found, nil
}

// expect asks the page itself whether an action has had its effect.
func expect(r *rival, function, want string) error {
	text, _, err := r.peer.do(r.eval(function))
	if err == nil && !strings.Contains(text, want) {
		err = fmt.Errorf("the page says %q, not %s", text, want)
	}
	return err
}

func (m *match) server(r *rival) int {
	for s := range m.all {
		if m.all[s] == r {
			return s
		}
	}
	return -1
}

const actionRounds = 15

func (m *match) actions(ctx context.Context) error {
	if err := m.goTo("/small"); err != nil {
		return err
	}
	buttons, err := m.refs("button", "Count")
	if err != nil {
		return err
	}
	fields, err := m.refs("textbox", "Name")
	if err != nil {
		return err
	}
	value := ""
	next := func(round int, _ *rival) error { value = fmt.Sprintf("value-%d", round); return nil }
	click := func(r *rival) []call { return []call{r.click(buttons[m.server(r)][0])} }
	if err := m.timed(ctx, "click", actionRounds, nil, click, func(round int, r *rival) error {
		const counts = "() => 'clicks-' + window.n + '-shown-' + document.getElementById('n').textContent"
		return expect(r, counts, fmt.Sprintf("clicks-%d-shown-%d", round+1, round+1))
	}); err != nil {
		return err
	}

	fill := func(r *rival) []call { return []call{r.fill(fields[m.server(r)][0], value)} }
	if err := m.timed(ctx, "fill", actionRounds, next, fill, func(_ int, r *rival) error {
		return expect(r, "() => document.getElementById('name').value", value)
	}); err != nil {
		return err
	}

	evaluate := func(r *rival) []call { return []call{r.eval("() => 6 * 7")} }
	if err := m.timed(ctx, "evaluate", 30, nil, evaluate, nil); err != nil {
		return err
	}

	navigate := func(r *rival) []call { return []call{r.open(m.site + "/small")} }
	if err := m.timed(ctx, "navigate", actionRounds, nil, navigate, func(_ int, r *rival) error {
		return expect(r, "() => document.readyState + location.pathname", "complete/small")
	}); err != nil {
		return err
	}
	return m.forms(ctx)
}

// forms fills all fields of a form.
func (m *match) forms(ctx context.Context) error {
	if err := m.goTo("/form"); err != nil {
		return err
	}
	var names []string
	for i := range 10 {
		names = append(names, fmt.Sprintf("Field %d", i))
	}
	fields, err := m.refs("textbox", names...)
	if err != nil {
		return err
	}

	value := ""
	next := func(round int, _ *rival) error { value = fmt.Sprintf("value-%d", round); return nil }
	fill := func(r *rival) []call { return r.form(fields[m.server(r)], value) }
	return m.timed(ctx, "fill_form", 9, next, fill, func(_ int, r *rival) error {
		filled := "[...document.querySelectorAll('input')].filter((i) => i.value === '" + value + "').length"
		return expect(r, "() => 'filled-' + "+filled, "filled-10")
	})
}

func (m *match) screenshots(ctx context.Context) error {
	if err := m.goTo("/article"); err != nil {
		return err
	}
	for row, full := range map[string]bool{"screenshot": false, "full screenshot": true} {
		if err := m.timed(ctx, row, 7, nil, func(r *rival) []call { return []call{r.shot(full)} }, nil); err != nil {
			return err
		}
	}
	return nil
}
