package keeper

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/session"
)

// deskRoutes is what the person's side asks of the desk. In ordinary mode there are no agents, and nothing of it has an effect.
func (k *keeper) policyRoutes(routes *http.ServeMux) {
	routes.HandleFunc("PUT /v1/policy", asked(func(_ context.Context, p policy.Policy) (any, error) {
		if err := p.Clean(); err != nil {
			return nil, err
		}
		k.enforcer.Set(p)
		k.log.Info("policy", "preset", p.Preset)
		return nil, nil
	}))
	routes.HandleFunc("GET /v1/access", k.watchAccess)
	routes.HandleFunc("POST /v1/access/decide", asked(func(_ context.Context, d Decision) (any, error) {
		return nil, k.enforcer.Decide(d.ID, d.Yes, d.Always)
	}))
	routes.HandleFunc("POST /v1/access/takeover", asked(func(ctx context.Context, _ struct{}) (any, error) { return k.takeOver(ctx) }))
	routes.HandleFunc("POST /v1/access/giveback", asked(func(ctx context.Context, _ struct{}) (any, error) { return k.giveBack(ctx) }))
	routes.HandleFunc("POST /v1/access/suspend", asked(func(_ context.Context, c suspension) (any, error) {
		was := k.enforcer.State().Suspended
		if k.enforcer.Suspend(c.On); was != c.On {
			k.log.Info("agents cut off", "on", c.On)
		}
		return nil, nil
	}))
}

// Decision is a person's answer to a request.
type Decision struct {
	ID     string `json:"id"`
	Yes    bool   `json:"yes"`
	Always bool   `json:"always"`
}

type suspension struct {
	On bool `json:"on"`
}

// maxAsked bounds what the app may send.
const maxAsked = 4 << 20

// asked reads a request's JSON, and answers with JSON; a fault is the body of an answer that is none.
func asked[T any](do func(context.Context, T) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in T
		raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxAsked))
		if err == nil && len(raw) > 0 {
			err = json.Unmarshal(raw, &in)
		}
		var out any
		if err == nil {
			out, err = do(r.Context(), in)
		}
		if err != nil {
			refuse(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(out)
	}
}

// refuse answers with a fault.
func refuse(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusConflict)
	_ = json.NewEncoder(w).Encode(fault.From(err))
}

// watchDesk streams the desk's state, one line of JSON for each change; with ?once=1 it tells it once.
func (k *keeper) watchAccess(w http.ResponseWriter, r *http.Request) {
	sub := k.enforcer.Subscribe()
	defer sub.Close()
	tellLines(w, r, k.enforcer.State(), sub, k.exited, func(policy.State) bool { return r.URL.Query().Has("once") })
}

// readPanic keeps agents out while the person has cut them all off. It is read after others can find this keeper: whoever writes the
// file and then looks for keepers misses none.
func (k *keeper) readPanic() {
	if k.Panic == "" {
		return
	}
	if _, err := os.Stat(k.Panic); err == nil {
		k.enforcer.Suspend(true)
	}
}

// Desk is the person's side of the desk of one profile's keeper.
type Access struct {
	record Record
	http   *http.Client
}

// ErrNoDesk says that no agents can be in the profile: it is closed, or open in ordinary mode.
var ErrNotOpen = errors.New("the profile is not open for agents")

// deskLimit bounds a question to a keeper.
const deskLimit = 5 * time.Second

// FindDesk finds the desk of an open profile.
func FindAccess(dir paths.ProfileDir) (*Access, error) {
	record, err := ReadRecord(dir)
	if err != nil || record.Mode != session.Automation || record.Socket == "" || !record.Alive() {
		return nil, ErrNotOpen
	}
	return &Access{record: record, http: &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", record.Socket)
	}}}}, nil
}

func (d *Access) send(ctx context.Context, method, path string, in any) (*http.Response, error) {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://keeper"+path, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+d.record.Token)
	res, err := d.http.Do(req)
	if err != nil {
		if !d.record.Alive() {
			return nil, ErrNotOpen
		}
		return nil, err
	}
	if res.StatusCode < 300 {
		return res, nil
	}
	defer func() { _ = res.Body.Close() }()
	return nil, refusal(res)
}

// ErrOtherVersion is the answer of a keeper that was started by a Cove which could not do yet what is asked of it.
var ErrOtherVersion = fault.New(fault.Conflict, "E_OTHER_VERSION", "The profile was opened by another version of Cove, which cannot do this.", "Close the profile and open it again.")

// refusal is the fault of an answer that is none.
func refusal(res *http.Response) error {
	var f fault.Error
	if res.StatusCode == http.StatusNotFound { // no such path
		return ErrOtherVersion
	}
	if res.StatusCode == http.StatusConflict && json.NewDecoder(res.Body).Decode(&f) == nil && f.Code != "" {
		return &f
	}
	return fmt.Errorf("the keeper answered %s", res.Status)
}

// ask sends one question; in and out may be nil.
func (d *Access) ask(ctx context.Context, method, path string, in, out any) error {
	limited, cancel := context.WithTimeout(ctx, deskLimit)
	defer cancel()
	res, err := d.send(limited, method, path, in)
	if err == nil {
		defer func() { _ = res.Body.Close() }()
		if out == nil {
			return nil
		}
		err = json.NewDecoder(res.Body).Decode(out)
	}
	if err != nil && limited.Err() != nil && ctx.Err() == nil { // not the caller's patience has ended, but ours
		return errSlow
	}
	return err
}

var errSlow = fault.New(fault.Unavailable, "E_NO_KEEPER", "The profile is open, and its keeper does not answer.", "Close the profile and open it again.")

// SetPolicy puts a policy into force.
func (d *Access) SetPolicy(ctx context.Context, p policy.Policy) error {
	return d.ask(ctx, http.MethodPut, "/v1/policy", p, nil)
}

// State is what the desk looks like now.
func (d *Access) State(ctx context.Context) (s policy.State, err error) {
	err = d.ask(ctx, http.MethodGet, "/v1/access?once=1", nil, &s)
	return s, err
}

// Decide answers a request.
func (d *Access) Decide(ctx context.Context, what Decision) error {
	return d.ask(ctx, http.MethodPost, "/v1/access/decide", what, nil)
}

// TakeOver makes the agents wait.
func (d *Access) TakeOver(ctx context.Context) (t Taken, err error) {
	err = d.ask(ctx, http.MethodPost, "/v1/access/takeover", nil, &t)
	return t, err
}

// GiveBack lets them go on, and answers what they are told.
func (d *Access) GiveBack(ctx context.Context) (t Taken, err error) {
	err = d.ask(ctx, http.MethodPost, "/v1/access/giveback", nil, &t)
	return t, err
}

// Cut throws the agents out and keeps them out, or lets them in again.
func (d *Access) Suspend(ctx context.Context, on bool) error {
	return d.ask(ctx, http.MethodPost, "/v1/access/suspend", suspension{on}, nil)
}

// Watch calls each with the state at every change, until the profile closes or ctx ends.
func (d *Access) Watch(ctx context.Context, each func(policy.State)) error {
	res, err := d.send(ctx, http.MethodGet, "/v1/access", nil)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	lines := json.NewDecoder(bufio.NewReader(res.Body))
	for {
		var s policy.State
		if err := lines.Decode(&s); err != nil {
			return err
		}
		each(s)
	}
}

// CutAll throws the agents of every open profile out, or lets them in again. It needs no app. It answers for how many profiles it was
// done, and what went wrong with others.
func SuspendAll(ctx context.Context, home paths.Home, on bool) (done []profile.ID, err error) {
	ids, err := IDs(home)
	if err != nil {
		return nil, err
	}
	type outcome struct {
		id  profile.ID
		err error
	}
	outcomes := make(chan outcome, len(ids))
	for _, id := range ids {
		go func() {
			d, err := FindAccess(home.Profile(int32(id)))
			if err == nil {
				err = d.Suspend(ctx, on)
			}
			outcomes <- outcome{id, err}
		}()
	}
	for range ids {
		switch o := <-outcomes; {
		case o.err == nil:
			done = append(done, o.id)
		case !errors.Is(o.err, ErrNotOpen):
			err = errors.Join(err, fmt.Errorf("profile %s: %w", o.id, o.err))
		}
	}
	return done, err
}
