package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"cove/api"
)

// How many profiles a job tags, and how many of them are tagged by a call of their own.
const (
	jobProfiles = 5000
	jobSingles  = 200
	jobRounds   = 3
)

// jobs measures one call that tags many profiles, beside a call for each of them.
func jobs(ctx context.Context, a *app, _ string) error {
	var ids api.IDList
	for len(ids) < jobProfiles {
		name, tags := "Profile", api.Strings{"old"}
		many := api.MassInput{Template: &api.ProfileInput{Name: &name, Tags: &tags}, Count: 1000}
		var made api.IDs
		if err := a.Do(ctx, http.MethodPost, "/browser_profiles/mass", many, &made); err != nil {
			return err
		}
		ids = append(ids, made.IDs...)
	}

	var whole, singles, cancels []time.Duration
	steps := jobProfiles
	for i := range jobRounds {
		took, seen, err := tagAll(ctx, a, ids, fmt.Sprint("all ", i))
		if err != nil {
			return err
		}
		whole, steps = append(whole, took), min(steps, seen)

		if took, err = tagSingly(ctx, a, ids[:jobSingles], fmt.Sprint("one ", i)); err != nil {
			return err
		}
		singles = append(singles, took*time.Duration(len(ids)/jobSingles))

		if took, err = cancelTags(ctx, a, ids, fmt.Sprint("some ", i)); err != nil {
			return err
		}
		cancels = append(cancels, took)
	}

	fmt.Println("\n| what | Cove | beside it | ratio | aim |\n|---|---|---|---|---|")
	what := fmt.Sprintf("tagging %d profiles by one call : by a call for each (%d, extrapolated)", len(ids), jobSingles)
	printRatio(what, median(whole), median(singles), "< 3s")
	printRatio("from Cancel to the end of the job : the whole job", median(cancels), median(whole), "< 0.5")
	fmt.Printf("| states of the job that were seen while it ran | %d | – | – | > 2 |\n", steps)
	return nil
}

// tagAll tags profiles by one call. It returns how long that took, and how many different states it saw on the way.
func tagAll(ctx context.Context, a *app, ids api.IDList, tag string) (took time.Duration, seen int, err error) {
	began := time.Now()
	one, err := startTags(ctx, a, ids, tag)
	for last := -1; err == nil && one.EndedAt == nil; one, err = a.Jobs().Get(ctx, one.ID) {
		if one.Done != last {
			last = one.Done
			seen++
		}
		wait(ctx, 5*time.Millisecond)
	}
	if err == nil && one.Done != len(ids) {
		err = fmt.Errorf("%d of %d profiles were tagged", one.Done, len(ids))
	}
	return time.Since(began), seen, err
}

// tagSingly tags profiles by a call for each.
func tagSingly(ctx context.Context, a *app, ids api.IDList, tag string) (time.Duration, error) {
	began := time.Now()
	for _, id := range ids {
		in := api.ProfileInput{Tags: &api.Strings{"old", tag}}
		if err := a.Do(ctx, http.MethodPatch, fmt.Sprintf("/browser_profiles/%d", id), in, nil); err != nil {
			return 0, err
		}
	}
	return time.Since(began), nil
}

// cancelTags cancels a job in its middle. It returns how long the job goes on after that.
func cancelTags(ctx context.Context, a *app, ids api.IDList, tag string) (time.Duration, error) {
	one, err := startTags(ctx, a, ids, tag)
	for err == nil && one.Done < len(ids)/4 {
		one, err = a.Jobs().Get(ctx, one.ID)
	}
	if err != nil {
		return 0, err
	}
	began := time.Now()
	one, err = a.Jobs().Cancel(ctx, one.ID)
	for ; err == nil && one.EndedAt == nil; one, err = a.Jobs().Get(ctx, one.ID) {
		wait(ctx, time.Millisecond)
	}
	if err == nil && one.State != "cancelled" {
		err = errors.New("the job was done before it could be cancelled")
	}
	return time.Since(began), err
}

func startTags(ctx context.Context, a *app, ids api.IDList, tag string) (api.Job, error) {
	return a.Jobs().Start(ctx, api.BulkInput{IDs: ids, Change: api.BulkChange{AddTags: &api.Strings{tag}}})
}
