package cli

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"cove/api"
	"cove/internal/fault"
)

// kinds are all that there are.
var kinds = []fault.Kind{fault.Invalid, fault.NotFound, fault.Conflict, fault.Denied, fault.Unauthenticated,
	fault.Payment, fault.TooLarge,
	fault.Method, fault.Busy, fault.Unavailable, fault.Internal}

func TestNoFailureExitsZero(t *testing.T) {
	c := &config{ran: true}
	for _, kind := range append(kinds, "", "of a later version") {
		if code, _, _ := c.explain(&fault.Error{Kind: kind, Text: "No."}); code == exitOK {
			t.Errorf("a fault of the kind %q exits 0", kind)
		}
		for status := 400; status < 600; status++ {
			failure := &api.Failure{Status: status,
				Body: api.Error{ErrorObject: api.ErrorObject{Type: kind, Text: "No."}}}
			if code, _, _ := c.explain(failure); code == exitOK {
				t.Errorf("an answer with the status %d and the kind %q exits 0", status, kind)
			}
		}
	}
	for _, err := range []error{errors.New("something"), context.Canceled, api.ErrNoApp, os.ErrNotExist,
		usageError{errors.New("no"), "cove"}} {
		if code, _, _ := c.explain(err); code == exitOK {
			t.Errorf("%v exits 0", err)
		}
	}
}

func TestEachKindHasAnExitCode(t *testing.T) {
	want := map[fault.Kind]int{fault.Invalid: 2, fault.NotFound: 3, fault.Conflict: 4, fault.Denied: 5,
		fault.Unauthenticated: 5,
		fault.Payment:         7, fault.TooLarge: 2, fault.Method: 1, fault.Busy: 6, fault.Unavailable: 6,
		fault.Internal: 1}
	for _, kind := range kinds {
		if got, ok := want[kind]; !ok || got != exitCodeOf(kind) {
			t.Errorf("the kind %s exits %d, not %d", kind, exitCodeOf(kind), got)
		}
	}
}

// TestACallThatTheAppDoesNotKnowFails: an app of another version may answer 405.
func TestACallThatTheAppDoesNotKnowFails(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusMethodNotAllowed)
		_, _ = w.Write([]byte(`{"success":false,"errorObject":{"type":"method","code":"E_METHOD","text":"This call ` +
			`does not support POST.","hint":"Use GET."}}`))
	}))
	defer server.Close()
	client := &api.Client{Base: server.URL}
	err := client.Do(t.Context(), http.MethodPost, "/status", nil, nil)
	code, text, hint := (&config{ran: true}).explain(err)
	if code != exitInternal || text != "This call does not support POST." || hint != "Use GET." {
		t.Errorf("%d %q %q", code, text, hint)
	}
}
