package external

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"cove/internal/profile"
)

func TestABrowserIsAskedForOneAtATime(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	var q Questions
	var all sync.WaitGroup
	var importing, sharing [5]atomic.Int32 // for each profile
	var reserved atomic.Int32
	others := func(me profile.ID) (n int32) {
		for id := range importing {
			n += importing[id].Load()
			if profile.ID(id) != me {
				n += sharing[id].Load()
			}
		}
		return n
	}
	for n := range 200 {
		all.Go(func() {
			folder := dir
			if n%2 == 0 {
				folder = link // the same folder by another name
			}
			by := Requester{Profile: profile.ID(n%4 + 1), Import: n%4 == 3}
			release, _, ok := q.Reserve(folder, by)
			if !ok {
				return
			}
			reserved.Add(1)
			if k := others(by.Profile); k != 0 {
				t.Errorf("%d others have the browser", k)
			}
			mine := &sharing[by.Profile]
			if by.Import {
				mine = &importing[by.Profile]
			}
			mine.Add(1)
			runtime.Gosched()
			mine.Add(-1)
			release()
			release() // once more does nothing
		})
	}
	all.Wait()
	if reserved.Load() == 0 || len(q.open) != 0 {
		t.Errorf("%d were reserved, %d are left", reserved.Load(), len(q.open))
	}

	release, _, ok := q.Reserve(dir, Requester{Profile: 1})
	if !ok {
		t.Fatal("the browser is reserved")
	}
	for name, row := range map[string]struct {
		dir  string
		by   Requester
		want bool
	}{
		"another sharing is refused":               {link, Requester{Profile: 2}, false},
		"an import is refused":                     {dir, Requester{Profile: 3, Import: true}, false},
		"who waits for the same sharing joins it":  {link, Requester{Profile: 1}, true},
		"another browser is not reserved":          {t.TempDir(), Requester{Profile: 2}, true},
		"a folder that is not there is its name":   {"/nowhere", Requester{Profile: 2}, true},
		"the import into that profile is no share": {dir, Requester{Profile: 1, Import: true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			leave, holder, ok := q.Reserve(row.dir, row.by)
			if ok != row.want || (!ok && holder != Requester{Profile: 1}) {
				t.Errorf("%v, for %+v", ok, holder)
			}
			if ok {
				leave()
			}
		})
	}
	release()
	if release, _, ok = q.Reserve(dir, Requester{Profile: 3, Import: true}); !ok {
		t.Fatal("the browser stays reserved")
	}
	if _, holder, ok := q.Reserve(dir, Requester{Profile: 3, Import: true}); ok || !holder.Import {
		t.Error("two imports at once")
	}
	release()
}
