package pin

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
)

// pinFile is a store that a restart does not empty.
type pinFile struct{ r Record }

func (f *pinFile) PIN(context.Context) (Record, error)      { return f.r, nil }
func (f *pinFile) SetPIN(_ context.Context, r Record) error { f.r = r; return nil }
func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	if got := codeOf(err); got != code {
		t.Fatalf("got %q (%v), want %q", got, err, code)
	}
}
func codeOf(err error) string {
	if err == nil {
		return ""
	}
	return string(fault.From(err).Code)
}

func TestPIN(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, file := t.Context(), &pinFile{}
		p := New(file)
		wantCode(t, p.Check(ctx, ""), "") // nobody is asked for what is not there
		wantCode(t, p.Check(ctx, "anything"), "")
		for _, bad := range []string{"", "123", strings.Repeat("1", 65)} {
			wantCode(t, p.Change(ctx, bad), "E_INVALID")
		}
		wantCode(t, p.Change(ctx, "4711"), "")
		if !strings.HasPrefix(file.r.Hash, "$argon2id$") || strings.Contains(file.r.Hash, "4711") {
			t.Fatalf("kept as %q", file.r.Hash)
		}
		wantCode(t, p.Check(ctx, ""), "E_PIN_REQUIRED")
		wantCode(t, p.Check(ctx, "4711"), "")
		for range freeTries {
			wantCode(t, p.Check(ctx, "4712"), "E_PIN_WRONG")
		}
		wantCode(t, p.Check(ctx, "4711"), "E_PIN_SLOWED")
		p = New(file) // the app was restarted
		wantCode(t, p.Check(ctx, "4711"), "E_PIN_SLOWED")
		<-time.After(firstGap)
		wantCode(t, p.Check(ctx, "4712"), "E_PIN_WRONG")
		<-time.After(firstGap)
		slowed := p.Check(ctx, "4711") // each one longer
		wantCode(t, slowed, "E_PIN_SLOWED")
		if left := fault.From(slowed).Wait; left != firstGap {
			t.Errorf("the wait is told as %v", left)
		}
		<-time.After(firstGap)
		wantCode(t, p.Check(ctx, "4711"), "")
		if file.r.Failures != 0 {
			t.Fatal("the right one does not end the waiting")
		}
		file.r.Failures, file.r.Last = 1000, time.Now().Add(24*time.Hour) // a clock was set back
		wantCode(t, p.Check(ctx, "4711"), "E_PIN_SLOWED")
		<-time.After(maxGap)
		file.r.Last = time.Now().Add(-maxGap)
		wantCode(t, p.Check(ctx, "4711"), "")
		wantCode(t, p.Clear(ctx), "")
		wantCode(t, p.Check(ctx, ""), "")
	})
}
