package job

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
	"cove/internal/profile"
)

// numbers are the ids 1 to n.
func numbers(n int) []profile.ID {
	ids := make([]profile.ID, n)
	for i := range ids {
		ids[i] = profile.ID(i + 1)
	}
	return ids
}

// ended waits until a job has ended.
func ended(t *testing.T, jobs *Jobs, id string) Status {
	t.Helper()
	sub := jobs.Subscribe()
	defer sub.Close()
	for {
		s, err := jobs.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		if s.State.Ended() {
			return s
		}
		<-sub.C()
	}
}

func TestAJobDoesItsWorkInBatches(t *testing.T) {
	jobs := New()
	defer jobs.Close()
	var sizes []int
	first := jobs.Start(Work{Kind: "tags", IDs: numbers(25), Batch: 10,
		Do: func(_ context.Context, ids []profile.ID) error {
			sizes = append(sizes, len(ids))
			return nil
		}})
	if first.State != Running || first.Total != 25 || first.Kind != "tags" || first.ID == "" {
		t.Errorf("%+v", first)
	}
	s := ended(t, jobs, first.ID)
	if s.State != Done || s.Done != 25 || s.Failed != 0 || s.Ended.IsZero() || !slices.Equal(sizes, []int{10, 10, 5}) {
		t.Errorf("%+v in batches of %v", s, sizes)
	}
}

func TestAFailureIsThatOfItsProfileOnly(t *testing.T) {
	jobs := New()
	defer jobs.Close()
	bad := []profile.ID{7, 64, 65, 100}
	var changed []profile.ID
	first := jobs.Start(Work{IDs: numbers(100), Batch: 50, Do: func(_ context.Context, ids []profile.ID) error {
		for _, id := range ids {
			if slices.Contains(bad, id) {
				return profile.NotFound(id)
			}
		}
		changed = append(changed, ids...)
		return nil
	}})
	s := ended(t, jobs, first.ID)
	var failed []profile.ID
	for _, f := range s.Failures {
		failed = append(failed, f.Profile)
		if f.Err.Code != fault.CodeNotFound {
			t.Errorf("%v", f.Err)
		}
	}
	if s.Done != 96 || s.Failed != 4 || len(changed) != 96 || !slices.Equal(failed, bad) {
		t.Errorf("%+v; changed %d", s, len(changed))
	}
}

func TestOnlyTheFirstReasonsAreKept(t *testing.T) {
	jobs := New()
	defer jobs.Close()
	first := jobs.Start(Work{IDs: numbers(100), Batch: 100, Do: func(context.Context, []profile.ID) error {
		return errors.New("no")
	}})
	if s := ended(t, jobs, first.ID); s.Failed != 100 || len(s.Failures) != maxFailures || s.State != Done {
		t.Errorf("%d failed, %d reasons, %s", s.Failed, len(s.Failures), s.State)
	}
}

func TestACancelledJobKeepsWhatItHasDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jobs := New()
		defer jobs.Close()
		first := jobs.Start(Work{IDs: numbers(100), Batch: 10, Do: func(ctx context.Context, _ []profile.ID) error {
			select {
			case <-time.After(time.Minute):
			case <-ctx.Done():
			}
			return ctx.Err()
		}})
		<-time.After(150 * time.Second) // the third batch has begun
		s, err := jobs.Cancel(first.ID)
		if err != nil || s.State != Cancelling || s.Done != 20 {
			t.Fatalf("%+v %v", s, err)
		}
		if s := ended(t, jobs, first.ID); s.State != Cancelled || s.Done != 30 || s.Failed != 0 {
			t.Errorf("%+v", s)
		}
		if s, err := jobs.Cancel(first.ID); err != nil || s.State != Cancelled {
			t.Errorf("%+v %v", s, err)
		}
		if _, err := jobs.Cancel("none"); fault.KindOf(err) != fault.NotFound {
			t.Error(err)
		}
	})
}

func TestWorkRunsSideBySide(t *testing.T) {
	jobs := New()
	defer jobs.Close()
	var meet sync.WaitGroup
	meet.Add(3)
	first := jobs.Start(Work{IDs: numbers(3), Batch: 1, AtOnce: 3, Do: func(context.Context, []profile.ID) error {
		meet.Done()
		meet.Wait() // each waits for the two others
		return nil
	}})
	if s := ended(t, jobs, first.ID); s.Done != 3 {
		t.Errorf("%+v", s)
	}
}

func TestJobsEndWithTheApp(t *testing.T) {
	jobs := New()
	begun := make(chan struct{}, 1)
	first := jobs.Start(Work{IDs: numbers(100), Batch: 10, Do: func(ctx context.Context, _ []profile.ID) error {
		begun <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}})
	<-begun
	jobs.Close()
	if s, _ := jobs.Get(first.ID); s.State != Cancelled || s.Done != 0 || s.Failed != 0 {
		t.Errorf("%+v", s)
	}
}

func TestOldJobsAreForgotten(t *testing.T) {
	jobs := New()
	defer jobs.Close()
	var last Status
	for range maxEnded + 5 {
		last = jobs.Start(Work{IDs: numbers(1), Do: func(context.Context, []profile.ID) error { return nil }})
		ended(t, jobs, last.ID)
	}
	if all := jobs.List(); len(all) != maxEnded+1 || all[0].ID != last.ID {
		t.Errorf("%d jobs", len(all))
	}
}
