package gate

import (
	"log/slog"
	"testing"

	"cove/internal/policy"
)

// BenchmarkRoundTrip measures one command through the WebSocket, the enforcer and the pipe to a fake browser.
func BenchmarkRoundTrip(b *testing.B) {
	for _, c := range []struct {
		name    string
		policy  policy.Policy
		journal bool
	}{{"open", policy.Policy{}, false}, {"open with a journal", policy.Policy{}, true},
		{"guarded", policy.Policy{Preset: policy.Guarded, Rights: rights(policy.Script, policy.Yes)}, false}} {
		b.Run(c.name, func(b *testing.B) {
			fake := newFastBrowser(b)
			config := Config{Enforcer: policy.NewEnforcer(c.policy)}
			if c.journal {
				config.Journal = &memoryJournal{}
			}
			s, err := Listen(fake.mux, Version{}, config, slog.New(slog.DiscardHandler))
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			ws := dial(b, s)
			for b.Loop() {
				request(b, ws, []byte(`{"id":1,"method":"Runtime.evaluate","params":{"expression":"1+1"}}`))
			}
		})
	}
}
