package gate

import (
	"io"
	"log/slog"
	"testing"

	"cove/internal/policy"
)

// BenchmarkRoundTrip is one command through the WebSocket, the desk and the pipe, with nothing behind it.
func BenchmarkRoundTrip(b *testing.B) {
	for _, c := range []struct {
		name    string
		policy  policy.Policy
		journal bool
	}{{"open", policy.Policy{}, false}, {"open with a journal", policy.Policy{}, true}, {"guarded", policy.Policy{Preset: policy.Guarded, Rights: rights(policy.Script, policy.Yes)}, false}} {
		b.Run(c.name, func(b *testing.B) {
			fake := newFastBrowser(b)
			rules := Rules{Enforcer: policy.NewEnforcer(c.policy)}
			if c.journal {
				rules.Journal = &notes{}
			}
			s, err := Listen(fake.mux, Version{}, rules, slog.New(slog.NewTextHandler(io.Discard, nil)))
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			ws := dial(b, s)
			for b.Loop() {
				ask(b, ws, []byte(`{"id":1,"method":"Runtime.evaluate","params":{"expression":"1+1"}}`))
			}
		})
	}
}
