package gate

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/policy"
)

// admit refuses a request that the profile's policy does not admit. While agents are suspended, it admits nobody. If
// the policy binds programs, it admits those that send a credential and those that know the browser's own path.
func (c *Config) admit(r *http.Request, ownPath bool) error {
	if err := c.Enforcer.Admits(); err != nil {
		return err
	}
	if !c.Enforcer.Rules().BindsPrograms() || ownPath {
		return nil
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") && c.Token != nil && c.Token(r.Context(), strings.TrimSpace(token)) {
		return nil
	}

	text := "Agents are bound by rules in this profile, so its port needs a credential."
	if r.Header.Get("Authorization") != "" {
		text = "The credential in the Authorization header is not valid."
	}

	return fault.New(fault.CodeUnauthorized, text,
		"Send an API token (cove token create NAME) or the text of the file owner.token in the data folder as the "+
			"header Authorization: Bearer … A start that carries it answers the webSocketDebuggerUrl, which opens "+
			"without it.")
}

// deny answers a request that was not admitted.
func (c *Config) deny(w http.ResponseWriter, err error) {
	status := http.StatusForbidden
	switch fault.KindOf(err) {
	case fault.Unauthenticated:
		status = http.StatusUnauthorized
		w.Header().Set("WWW-Authenticate", "Bearer")
	case fault.Busy, fault.Conflict:
		status = http.StatusConflict
	}
	http.Error(w, c.Home.Advice(fault.From(err).Sentence()), status)
}

// denied reports whether an error comes from the policy, not from the browser.
func denied(err error) bool {
	var f *fault.Error
	return errors.As(err, &f)
}

// admitProgram asks the enforcer to admit a program whose process is not known yet.
func (c *Config) admitProgram() (*policy.Admission, error) {
	return c.Enforcer.Admit(policy.Agent{Kind: policy.Program, Name: "program"})
}

// whoLimit is how long the journal waits to learn which process a program is.
const whoLimit = 3 * time.Second

// identify finds out in the background which process has connected, and renames the admission after it. The returned
// channel is closed when the process is known, or when whoLimit has passed.
func (c *Config) identify(r *http.Request, admission *policy.Admission) <-chan struct{} {
	known := make(chan struct{})
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if c.Who == nil || local == nil {
		close(known)
		return known
	}
	theirs, err := netip.ParseAddrPort(r.RemoteAddr)
	ours, wrong := netip.ParseAddrPort(local.String())
	if err != nil || wrong != nil {
		close(known)
		return known
	}

	waiting, found := context.WithTimeout(context.WithoutCancel(r.Context()), whoLimit)
	go func() {
		defer found()
		if name, pid := c.Who(theirs, ours); pid != 0 {
			admission.Rename(policy.Agent{Kind: policy.Program, Name: name, PID: pid})
		}
	}()

	return waiting.Done()
}
