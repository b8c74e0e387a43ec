package exit

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
var kinds = []fault.Kind{fault.Invalid, fault.Unprocessable, fault.NotOffered,
	fault.NotFound, fault.Conflict, fault.Denied, fault.Unauthenticated,
	fault.Payment, fault.TooLarge,
	fault.Method, fault.Busy, fault.Unavailable, fault.Internal}

func TestNoFailureExitsZero(t *testing.T) {
	for _, kind := range append(kinds, "", "of a later version") {
		if code, _, _ := Explain(&fault.Error{Kind: kind, Text: "No."}, true); code == OK {
			t.Errorf("a fault of the kind %q exits 0", kind)
		}
		for status := 400; status < 600; status++ {
			failure := &api.Failure{Status: status,
				Body: api.Error{ErrorObject: api.ErrorObject{Type: kind, Text: "No."}}}
			if code, _, _ := Explain(failure, true); code == OK {
				t.Errorf("an answer with the status %d and the kind %q exits 0", status, kind)
			}
		}
	}
	for _, err := range []error{errors.New("something"), context.Canceled, api.ErrNoApp, os.ErrNotExist,
		UsageError{"no", "cove"}} {
		if code, _, _ := Explain(err, true); code == OK {
			t.Errorf("%v exits 0", err)
		}
	}
}

func TestACancelledCommandExitsAsAnInterruptedOne(t *testing.T) {
	cancelled := fault.New(fault.CodeCancelled, "Cancelled.", "Again.")
	code, text, hint := Explain(cancelled, true)
	interrupted, _, _ := Explain(context.Canceled, true)
	if code != interrupted || code != Internal || text != "Cancelled." || hint != "Again." {
		t.Errorf("%d %q %q; an interrupted one exits %d", code, text, hint, interrupted)
	}
}

func TestEveryExitCodeIsExplained(t *testing.T) {
	for _, kind := range kinds {
		if Meanings()[CodeOf(kind)] == "" {
			t.Errorf("what %s exits with is not explained", kind)
		}
	}
}

func TestEachKindHasAnExitCode(t *testing.T) {
	want := map[fault.Kind]int{fault.Invalid: 2, fault.NotFound: 3, fault.Conflict: 4, fault.Denied: 5,
		fault.Unauthenticated: 5,
		fault.Payment:         7, fault.TooLarge: 2, fault.Method: 1, fault.Busy: 6, fault.Unavailable: 6,
		fault.Internal: 1, fault.Unprocessable: 2, fault.NotOffered: 1}
	for _, kind := range kinds {
		if got, ok := want[kind]; !ok || got != CodeOf(kind) {
			t.Errorf("the kind %s exits %d, not %d", kind, CodeOf(kind), got)
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
	code, text, hint := Explain(err, true)
	if code != Internal || text != "This call does not support POST." || hint != "Use GET." {
		t.Errorf("%d %q %q", code, text, hint)
	}
}
