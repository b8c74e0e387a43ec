//go:build e2e

package external

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"cove/e2e/harness"
)

// killer ends processes at random moments.
type killer struct {
	*harness.App
	random *rand.Rand
}

func newKiller(t *testing.T, a *harness.App) killer {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return killer{a, rand.New(rand.NewPCG(seed, 0))}
}

// kill ends the keeper of a profile, its hidden browser, or both, some time after that browser has come.
func (k killer) kill(id int) (how string) {
	k.T.Helper()
	harness.Wait(k.T, "the hidden browser", func() bool { return len(k.Processes(k.File(id, "data_dir"))) > 0 })
	after := time.Duration(k.random.IntN(1500)) * time.Millisecond
	harness.Delay(k.T.Context(), after)
	words := []string{fmt.Sprintf(" keeper %d", id), k.File(id, "")}
	words = [][]string{words[:1], words[1:], words}[k.random.IntN(3)]
	for _, word := range words {
		for _, p := range k.Processes(word) {
			if pid, err := strconv.Atoi(strings.Fields(p)[0]); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
	return fmt.Sprintf("%q killed after %v", words, after)
}

// ended waits until an import has ended, however.
func (i loginImport) ended() (raw string) {
	i.T.Helper()
	harness.Wait(i.T, "the end of the import", func() bool {
		raw = i.Own("GET", "/v1.0/login_imports/"+i.id, "").Raw
		return strings.Contains(raw, `"step":"failed"`) || strings.Contains(raw, `"step":"done"`)
	})
	return raw
}

// cookies returns the cookies of a closed profile.
func cookies(a *harness.App, id int) string {
	a.T.Helper()
	read := func() harness.Answer {
		return a.Own("GET", harness.StatePath(id, "/cookies?format=storageState"), "")
	}
	r := read()
	if r.Status != 200 { // rarely, the start right after a kill meets a browser that is just ending
		a.T.Log(r.Raw)
		r = read()
	}
	harness.MustSucceed(a.T, r)
	return r.Raw
}

// TestAKilledImportIsOneLoginOrTheOther: whatever is killed while logins are imported, the profile has all of the login
// that it had, or all of the new one, local storage included. One that was answered with success is there.
func TestAKilledImportIsOneLoginOrTheOther(t *testing.T) {
	s, p := newSites(t, 3), harness.NewPerson(t)
	a := harness.Start(t)
	k := newKiller(t, a)
	has := "" // nobody
	for round := range 5 {
		next := []string{"ann", "bob"}[round%2]
		s.login(p, "Default", next)
		i := begin(a, p, "Default")
		p.Allow()
		i.await("choosing")
		harness.MustSucceed(t, a.Own("POST", "/v1.0/login_imports/"+i.id, `{"all":true,"storage":true}`))
		how := k.kill(1)
		done := strings.Contains(i.ended(), `"step":"done"`)
		got := cookies(a, 1)
		count := func(user string) int {
			return strings.Count(got, "secret-"+user+"-") + strings.Count(got, `"`+user+"s")
		}
		const whole = 3*(perSite-1) + 3 // cookies of the sites, and local storage
		switch {
		case count(next) == whole && (has == "" || has == next || count(has) == 0):
			has = next
		case done || has != "" && count(has) != whole || count(next) != 0:
			t.Fatalf("round %d, %s, done %t: %d of %s, %d of %s", round, how, done, count(has), has, count(next), next)
		}
	}
}

// TestAKilledCopyIsWholeOrNothing: a profile into which a closed browser's folder is copied has everything of it, or
// nothing, and then the copy can be made again.
func TestAKilledCopyIsWholeOrNothing(t *testing.T) {
	const n = 3
	s, p := newSites(t, n), harness.NewPerson(t)
	s.login(p, "Default", "ann")
	p.Quit()
	a := harness.Start(t)
	k := newKiller(t, a)
	copying := func(id int) loginImport {
		t.Helper()
		r := a.Own("POST", "/v1.0/login_imports", fmt.Sprintf(`{"profile":%d,"dataDir":%q}`, id, p.DataDir))
		harness.MustSucceed(t, r)
		one, _ := harness.Member(r.Body, "data", "id").(string)
		i := loginImport{a, one}
		i.await("choosing")
		harness.MustSucceed(t, a.Own("POST", "/v1.0/login_imports/"+i.id, `{"all":true}`))
		return i
	}
	whole := func(id int) bool {
		t.Helper()
		found := strings.Count(cookies(a, id), `"secret-ann`)
		if found != 0 && found != perSite*n {
			t.Errorf("profile %d has %d cookies", id, found)
		}
		return found == perSite*n
	}
	for range 4 {
		id := a.Create(`{"name":"copy"}`)
		i := copying(id)
		how := k.kill(id)
		done := strings.Contains(i.ended(), `"step":"done"`)
		switch there := whole(id); {
		case done && !there:
			t.Errorf("%s: it was copied, and is not there", how)
		case !there:
			copying(id).await("done")
			if !whole(id) {
				t.Errorf("%s: the second copy is not there", how)
			}
		}
	}
}
