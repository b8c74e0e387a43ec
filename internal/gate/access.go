package gate

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/policy"
)

// admit refuses a request that the profile's policy does not let in: none while agents are kept out, and under a policy that binds
// programs only those with a credential, unless they know the browser's own path.
func (s *Server) admit(r *http.Request, path string) error {
	if err := s.rules.Enforcer.Admits(); err != nil {
		return err
	}
	if !s.rules.Enforcer.Rules().BindsPrograms() || path == s.path {
		return nil
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") && s.rules.Token != nil && s.rules.Token(r.Context(), strings.TrimSpace(token)) {
		return nil
	}
	text := "Agents are bound by rules in this profile, so its port needs a credential."
	if r.Header.Get("Authorization") != "" {
		text = "The credential in the header Authorization is not one of Cove's."
	}
	return fault.New(fault.Unauthenticated, "E_UNAUTHORIZED", text,
		"Send an API token (cove token create NAME) or the text of the file owner.token in the data folder as the header Authorization: Bearer … "+
			"A start that carries it answers the webSocketDebuggerUrl, which opens without it.")
}

// deny answers a request that was not admitted.
func (s *Server) deny(w http.ResponseWriter, err error) {
	status := http.StatusForbidden
	switch fault.KindOf(err) {
	case fault.Unauthenticated:
		status = http.StatusUnauthorized
		w.Header().Set("WWW-Authenticate", "Bearer")
	case fault.Busy:
		status = http.StatusConflict
	}
	http.Error(w, s.rules.Home.Advice(sentence(err)), status)
}

// unknown is what a program is called whose process is not known.
const unknown = "program"

// whoLimit is how long the journal waits to know who a program is.
const whoLimit = 3 * time.Second

// identify finds out in the background which process has connected; the channel is closed when that is known or will not be.
func (s *Server) identify(r *http.Request, seat *policy.Admission) <-chan struct{} {
	known := make(chan struct{})
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if s.rules.Who == nil || local == nil {
		close(known)
		return known
	}
	theirs, err := netip.ParseAddrPort(r.RemoteAddr)
	ours, wrong := netip.ParseAddrPort(local.String())
	if err != nil || wrong != nil {
		close(known)
		return known
	}
	found := make(chan struct{})
	go func() {
		defer close(found)
		if name, pid := s.rules.Who(theirs, ours); pid != 0 {
			seat.Rename(policy.Agent{Kind: policy.Program, Name: name, PID: pid})
		}
	}()
	go func() {
		defer close(known)
		select {
		case <-found:
		case <-time.After(whoLimit):
		}
	}()
	return known
}

// act does one acting request over HTTP as if it were a command of a program.
func (s *Server) act(r *http.Request, method string, params map[string]string, result any) error {
	seat, err := s.rules.Enforcer.Admit(policy.Agent{Kind: policy.Program, Name: unknown})
	if err != nil {
		return err
	}
	defer seat.Close()
	known := s.identify(r, seat)
	began := time.Now()
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	go func() {
		select {
		case <-seat.Done():
			cancel(seat.Err())
		case <-ctx.Done():
		}
	}()
	q := &question{mux: s.mux, method: method, raw: raw, files: s.rules.Files}
	if err = seat.Begin(ctx, true); err == nil {
		q.book = s.rules.Enforcer.Rules()
		err = q.judge(ctx)
	}
	if err == nil {
		err = s.permit(ctx, seat, q, func(bool) {})
	}
	entry := journal.Entry{Time: began.UTC(), Name: method, Args: brief(raw), Outcome: "ok"}
	if err != nil {
		entry.Outcome = "refused"
	} else if err = s.call(ctx, method, params, result); err != nil {
		entry.Outcome = "error"
	}
	if s.rules.Journal != nil {
		if err != nil {
			entry.Error = err.Error()
		}
		<-known
		entry.Agent, entry.Took = seat.Agent(), time.Since(began)
		s.rules.Journal.Record(entry)
	}
	return err
}

// denied reports whether an error is the policy's, not the browser's.
func denied(err error) bool {
	var f *fault.Error
	return errors.As(err, &f)
}
