package secret

import (
	"bytes"
	"context"
	"maps"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/secret/keyring"
)

// fakeRing is a keyring in memory.
type fakeRing struct {
	values map[string][]byte
	err    error // what it answers
	gets   int
	lossy  bool // it forgets what it is given
}

func (r *fakeRing) Set(_ context.Context, name string, value []byte) ([]byte, error) {
	if r.err == nil && !r.lossy {
		r.values[name] = bytes.Clone(value)
	}
	return []byte("beside " + name), r.err
}

func (r *fakeRing) Get(_ context.Context, name string, beside []byte) ([]byte, error) {
	r.gets++
	value, ok := r.values[name]
	switch {
	case r.err != nil:
		return nil, r.err
	case !ok || string(beside) != "beside "+name:
		return nil, keyring.ErrAbsent
	}
	return value, nil
}

func (r *fakeRing) Delete(_ context.Context, name string) error {
	delete(r.values, name)
	return r.err
}

func newKeys(t *testing.T) (*HomeKeys, *fakeRing) {
	t.Helper()
	home := paths.Home(t.TempDir())
	if err := home.Make(); err != nil {
		t.Fatal(err)
	}
	ring := &fakeRing{values: map[string][]byte{}}
	return &HomeKeys{home: home, ring: ring, prefers: true}, ring
}

func (k *HomeKeys) has(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func mustKey(t *testing.T, k *HomeKeys, create bool) []byte {
	t.Helper()
	key, err := k.Key(create)
	if err != nil || len(key) != keyBytes {
		t.Fatalf("%d bytes, %v", len(key), err)
	}
	return key
}

func TestANewKeyGoesIntoTheKeyringAndStaysThere(t *testing.T) {
	k, ring := newKeys(t)
	if _, err := k.Key(false); fault.From(err).Code != fault.CodeSecrets {
		t.Errorf("a key that nobody has made: %v", err)
	}
	key := mustKey(t, k, true)
	if len(ring.values) != 1 || k.has(k.home.SecretKey()) {
		t.Error("the key is not in the keyring alone")
	}
	raw, err := os.ReadFile(k.home.SecretKeyring())
	if err != nil || bytes.Contains(raw, key) || !strings.Contains(string(raw), checkOf(key)) {
		t.Errorf("%s, %v", raw, err)
	}
	again := &HomeKeys{home: k.home, ring: ring}
	if !bytes.Equal(mustKey(t, again, false), key) || !bytes.Equal(mustKey(t, again, true), key) {
		t.Error("another key comes back")
	}
}

func TestAKeyFileThatIsThereKeepsWorking(t *testing.T) {
	k, ring := newKeys(t)
	key, err := k.file().Key(true)
	if err != nil {
		t.Fatal(err)
	}
	for _, create := range []bool{false, true} {
		if !bytes.Equal(mustKey(t, k, create), key) {
			t.Error("another key comes back")
		}
	}
	if len(ring.values) > 0 || ring.gets > 0 || k.has(k.home.SecretKeyring()) {
		t.Error("the keyring was touched")
	}
}

func TestWithoutAKeyringTheKeyIsInAFile(t *testing.T) {
	for name, spoil := range map[string]func(*HomeKeys, *fakeRing){
		"none":           func(_ *HomeKeys, r *fakeRing) { r.err = keyring.ErrAway },
		"locked":         func(_ *HomeKeys, r *fakeRing) { r.err = keyring.ErrLocked },
		"forgetful":      func(_ *HomeKeys, r *fakeRing) { r.lossy = true },
		"nobody's wish":  func(k *HomeKeys, _ *fakeRing) { k.prefers = false },
		"no room for it": func(k *HomeKeys, _ *fakeRing) { _ = os.MkdirAll(k.home.SecretKeyring()+"/x", 0o700) },
	} {
		k, ring := newKeys(t)
		spoil(k, ring)
		if name == "no room for it" { // a folder is in the place of the record: nothing is made, nothing is lost
			if _, err := k.Key(true); err == nil || k.has(k.home.SecretKey()) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		key := mustKey(t, k, true)
		if got, err := k.file().Key(false); err != nil || !bytes.Equal(got, key) || len(ring.values) > 0 ||
			k.has(k.home.SecretKeyring()) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAKeyringThatDoesNotAnswerNeverLeadsToANewKey(t *testing.T) {
	for err, says := range map[error]string{
		keyring.ErrLocked: "is locked. Unlock it", keyring.ErrAway: "cannot be reached. Start Cove",
		keyring.ErrAbsent: "no longer has the key",
	} {
		synctest.Test(t, func(t *testing.T) {
			k, ring := newKeys(t)
			dir := k.home.Profile(1)
			s := Open(dir, k)
			if err := s.Set("mail", "https://mail.test", "hunter2-hunter2"); err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadFile(dir.Secrets())
			ring.err = err
			for range 3 {
				if err := s.Set("other", "https://mail.test", "hunter2-hunter2"); fault.From(err).Code != fault.CodeKeyring ||
					!strings.Contains(fault.From(err).Sentence(), says) {
					t.Fatal(err)
				}
				if _, err := Open(dir, k).Get("mail"); fault.From(err).Code != fault.CodeKeyring {
					t.Fatal(err)
				}
			}
			after, _ := os.ReadFile(dir.Secrets())
			if !bytes.Equal(before, after) || k.has(k.home.SecretKey()) || len(ring.values) != 1 {
				t.Error("something has changed")
			}
			if gets := ring.gets; gets != 2 { // once when it was stored, once now
				t.Errorf("a keyring that does not answer was asked %d times", gets)
			}
			ring.err = nil
			<-time.After(retryTime)
			if one, err := Open(dir, k).Get("mail"); err != nil || one.Value != "hunter2-hunter2" {
				t.Errorf("%+v, %v", one, err)
			}
		})
	}
}

func TestAnotherValueInTheKeyringIsNotTheKey(t *testing.T) {
	k, ring := newKeys(t)
	mustKey(t, k, true)
	for name := range maps.Clone(ring.values) {
		ring.values[name] = make([]byte, keyBytes)
	}
	if _, err := k.Key(true); fault.From(err).Code != fault.CodeKeyring {
		t.Error(err)
	}
	if err := os.WriteFile(k.home.SecretKeyring(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Key(true); fault.From(err).Code != fault.CodeSecrets || k.has(k.home.SecretKey()) {
		t.Error(err)
	}
}

func TestAKeyMovesAndEverySecretStillOpens(t *testing.T) {
	k, ring := newKeys(t)
	k.prefers = false
	s := Open(k.home.Profile(1), k)
	if err := s.Set("mail", "https://mail.test", "hunter2-hunter2"); err != nil {
		t.Fatal(err)
	}
	check := func(inKeyring bool) {
		t.Helper()
		one, err := Open(k.home.Profile(1), &HomeKeys{home: k.home, ring: ring}).Get("mail")
		if err != nil || one.Value != "hunter2-hunter2" {
			t.Fatalf("%+v, %v", one, err)
		}
		is, exists, err := k.InKeyring()
		if is != inKeyring || !exists || err != nil || k.has(k.home.SecretKey()) == inKeyring ||
			(len(ring.values) == 1) != inKeyring {
			t.Errorf("in the keyring: %v %v %v, %d entries", is, exists, err, len(ring.values))
		}
	}
	for _, to := range []bool{true, true, false, false, true} {
		if err := k.Move(to); err != nil {
			t.Fatal(err)
		}
		check(to)
	}

	ring.err = keyring.ErrLocked // nothing moves out of a locked keyring, or into one
	k.until = time.Time{}
	if err := k.Move(false); fault.From(err).Code != fault.CodeKeyring || k.has(k.home.SecretKey()) {
		t.Error(err)
	}
	ring.err = nil
	k.until = time.Time{}
	if err := k.Move(false); err != nil {
		t.Fatal(err)
	}
	for _, ring.lossy = range []bool{false, true} {
		if !ring.lossy {
			ring.err = keyring.ErrAway
		}
		if err := k.Move(true); fault.From(err).Code != fault.CodeKeyring {
			t.Error(err)
		}
		ring.err = nil
		check(false)
	}
}

// A move may end at any point, such as a power failure.
func TestAnInterruptedMoveLosesNothing(t *testing.T) {
	k, _ := newKeys(t)
	key, err := k.file().Key(true)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.toRing(key); err != nil { // and then nothing more
		t.Fatal(err)
	}
	if !bytes.Equal(mustKey(t, k, true), key) {
		t.Error("another key")
	}
	if err := k.Move(true); err != nil || k.has(k.home.SecretKey()) || !bytes.Equal(mustKey(t, k, false), key) {
		t.Error("the move was not completed", err)
	}
	if err := os.WriteFile(k.home.SecretKey(), make([]byte, keyBytes), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = k.Key(true)
	if fault.From(err).Code != fault.CodeSecrets || !strings.Contains(err.Error(), "different keys") {
		t.Errorf("two keys: %v", err)
	}
}
