// Package logpoint logs values to the console of a tab whenever a line of its scripts is reached, without a stop.
package logpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"sync"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page/remote"
	"cove/internal/page/target"
)

type object = map[string]any

// Point is a place in a script, and what is logged there. Lines and columns begin with 1. Column 0 is the first place
// of the line that can be stopped at.
type Point struct {
	URL          string
	Line, Column int
	Expression   string
}

// Most is how many logpoints a tab can have.
const Most = 50

// Logpoints are the logpoints of one tab, by the agents that have set them. The browser's debugger runs in the tab's
// sessions only while there are any: it costs the page some of its speed. All methods may be called from any goroutine;
// only Set waits.
type Logpoints struct {
	target *target.Target
	turn   target.Mutex // locked by whoever changes what the browser has
	// set has the ids of the breakpoints of each session, for whoever has the turn.
	set map[string][]string

	mu       sync.Mutex
	sessions []string
	points   map[string][]Point // by agent
}

// New returns the logpoints of a tab, none so far.
func New(t *target.Target) *Logpoints {
	return &Logpoints{target: t, turn: target.NewMutex(), set: map[string][]string{}, points: map[string][]Point{}}
}

// Set replaces the logpoints of an agent. It returns the number of places that each has in the scripts that are there;
// a script that comes later gets them too. first says that the agent had none before.
func (l *Logpoints) Set(ctx context.Context, agent string, points []Point) (places []int, first bool, err error) {
	for i, p := range points {
		if err := l.check(ctx, p); err != nil {
			return nil, false, fmt.Errorf("logpoint %d: %w", i+1, err)
		}
	}

	l.mu.Lock()
	others := 0
	for name, set := range l.points {
		if name != agent {
			others += len(set)
		}
	}
	if others+len(points) > Most {
		l.mu.Unlock()
		return nil, false, fault.Invalidf("A page has at most %d logpoints.", Most).
			WithHint("Set fewer. An empty list removes yours.")
	}
	_, had := l.points[agent]
	l.points[agent] = slices.Clone(points)
	sessions := slices.Clone(l.sessions)
	l.mu.Unlock()

	places = make([]int, len(points))
	for _, session := range sessions {
		found, err := l.apply(ctx, session)
		if err != nil {
			return nil, !had, err
		}
		for i, p := range points {
			places[i] += found[p.where()]
		}
	}
	return places, !had, nil
}

// Clear removes the logpoints of an agent.
func (l *Logpoints) Clear(agent string) {
	l.remove(func(name string, _ []Point) bool { return name == agent })
}

// ClearOthers removes the logpoints of all agents but one: the tab is that agent's now.
func (l *Logpoints) ClearOthers(agent string) {
	l.remove(func(name string, _ []Point) bool { return name != agent })
}

func (l *Logpoints) remove(which func(agent string, _ []Point) bool) {
	l.mu.Lock()
	before := len(l.points)
	maps.DeleteFunc(l.points, which)
	removed := len(l.points) < before
	sessions := slices.Clone(l.sessions)
	l.mu.Unlock()
	if !removed {
		return
	}
	go func() {
		for _, session := range sessions {
			_, _ = l.apply(l.target.Gone(), session)
		}
	}()
}

// Attach adds a session of the tab. It returns nil, or a channel that is closed once the session has the logpoints that
// there are: until then no script should run.
func (l *Logpoints) Attach(session string) <-chan struct{} {
	l.mu.Lock()
	l.sessions = append(l.sessions, session)
	none := len(l.points) == 0
	l.mu.Unlock()
	if none {
		return nil
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = l.apply(l.target.Gone(), session)
	}()
	return done
}

// Detach removes a session of the tab that is gone.
func (l *Logpoints) Detach(session string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sessions = slices.DeleteFunc(l.sessions, func(s string) bool { return s == session })
}

// Event lets a page go on that has stopped although nobody wants it to.
func (l *Logpoints) Event(e cdp.Event) { l.target.Post(e.Session, "Debugger.resume", nil) }

// check refuses a logpoint whose expression no script could hold. The page compiles it and does not run it.
func (l *Logpoints) check(ctx context.Context, p Point) error {
	var r struct {
		Exception *remote.Exception `json:"exceptionDetails"`
	}
	params := object{"expression": logging([]Point{p}), "sourceURL": "", "persistScript": false}
	if err := l.target.Do(ctx, "Runtime.compileScript", params, &r); err != nil {
		return err
	}
	if r.Exception != nil {
		return fault.Quote(fault.CodeValue, "The expression cannot be read: "+r.Exception.Thrown(),
			"Write what console.log takes: total, or 'total', total, items.length")
	}
	return nil
}

// where is a place that the browser knows only one breakpoint for.
type where struct {
	url          string
	line, column int
}

func (p Point) where() where { return where{p.URL, p.Line, p.Column} }

// places returns the places that have logpoints, with those of all agents.
func (l *Logpoints) places() map[where][]Point {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := map[where][]Point{}
	for _, agent := range slices.Sorted(maps.Keys(l.points)) {
		for _, p := range l.points[agent] {
			at[p.where()] = append(at[p.where()], p)
		}
	}
	return at
}

// logging returns the condition of a breakpoint that logs values and is false.
func logging(points []Point) (condition string) {
	for _, p := range points {
		mark, _ := json.Marshal(fmt.Sprintf("[%s:%d]", path.Base(p.URL), p.Line)) // a string can be written
		condition += fmt.Sprintf("(() => {try {console.log(%s,\n%s\n)} catch (e) {console.log(%s, String(e))}})(),",
			mark, p.Expression, mark)
	}
	return condition + "false"
}

// apply gives a session the present logpoints in place of all that it has. It returns the number of places that each
// has in the session's scripts.
func (l *Logpoints) apply(ctx context.Context, session string) (found map[where]int, err error) {
	ctx, cancel := l.target.Bound(ctx, target.CommandLimit)
	defer cancel()
	unlock, err := l.turn.Lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()

	found, err = l.replace(ctx, session)
	var refused *cdp.Error
	if errors.As(err, &refused) && session != l.target.Session { // the session is gone, with its frame
		delete(l.set, session)
		return nil, nil
	}
	return found, err
}

// replace is apply for whoever has the turn.
func (l *Logpoints) replace(ctx context.Context, session string) (map[where]int, error) {
	conn, at := l.target.Conn, l.places()
	// The browser may bring back what was only disabled when another document comes.
	for _, id := range l.set[session] {
		if err := conn.Call(ctx, session, "Debugger.removeBreakpoint", object{"breakpointId": id}, nil); err != nil {
			return nil, err
		}
	}
	delete(l.set, session)
	if len(at) == 0 {
		return nil, conn.Call(ctx, session, "Debugger.disable", nil, nil)
	}
	// The browser takes breakpoints before it has taken commands that were sent earlier: each is waited for.
	if err := conn.Call(ctx, session, "Debugger.enable", nil, nil); err != nil {
		return nil, err
	}
	// Conditions are evaluated and no stop follows, also not from a page's own debugger statement.
	if err := conn.Call(ctx, session, "Debugger.setSkipAllPauses", object{"skip": true}, nil); err != nil {
		return nil, err
	}

	set := map[where]*cdp.Pending{}
	for place, points := range at {
		params := object{"url": place.url, "lineNumber": place.line - 1, "condition": logging(points)}
		if place.column > 0 {
			params["columnNumber"] = place.column - 1
		}
		set[place] = conn.Start(session, "Debugger.setBreakpointByUrl", params)
	}
	found := map[where]int{}
	for place, pending := range set {
		var r struct {
			ID        string            `json:"breakpointId"`
			Locations []json.RawMessage `json:"locations"`
		}
		if err := pending.Wait(ctx, &r); err != nil {
			return nil, err
		}
		l.set[session] = append(l.set[session], r.ID)
		found[place] = len(r.Locations)
	}
	return found, nil
}
