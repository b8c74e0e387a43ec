package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"cove/api"
	"cove/internal/policy"
)

const (
	glanceRounds = 10
	// glanceLimit is how long a step may take to be seen before the measurement gives up.
	glanceLimit = time.Minute
)

// glances measures how long it takes until the window's Activity shows what five agents do in five profiles, beside
// the API's own streams, which the window reads. In each round all five act at once: one works, one is refused, one
// fails, one needs an approval, and one asks the person.
func glances(ctx context.Context, a *app, dir string) error {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><title>Glance</title><h1>Here</h1>")
	}))
	defer site.Close()
	doings := doingsOn(site.URL)
	peers, err := glancing(ctx, a, dir, doings)
	defer func() {
		for _, p := range peers {
			p.close()
		}
	}()
	if err != nil {
		return err
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	shown, err := shownWords(ctx, a)
	if err != nil {
		return err
	}
	told, err := streamedWords(ctx, a)
	if err != nil {
		return err
	}
	window, streams := make([][]time.Duration, len(doings)), make([][]time.Duration, len(doings))
	for round := range glanceRounds {
		for k, one := range atOnce(ctx, a, round, doings, peers, shown, told) {
			if one.err != nil {
				return fmt.Errorf("%s: %w", doings[k].name, one.err)
			}
			window[k], streams[k] = append(window[k], one.shown), append(streams[k], one.streamed)
		}
	}

	printGlances(doings, window, streams)
	return nil
}

// printGlances writes how long the steps took to be shown by the window, beside how long they took to be streamed.
func printGlances(doings []doing, window, streams [][]time.Duration) {
	fmt.Println("\n| from an agent's call to Activity, five agents at once | the window | the API's stream | ratio | aim |")
	fmt.Println("|---|---|---|---|---|")
	var all []time.Duration
	for k, d := range doings {
		printRatio(d.name+", median", median(window[k]), median(streams[k]), "–")
		all = append(all, window[k]...)
	}
	fmt.Printf("| the latest of all %d | %s | – | – | < 1s |\n", len(all), short(slices.Max(all)))
}

// doing is what one of the agents does in each round, with a word of that round in it.
type doing struct {
	name  string
	rules *policy.Policy
	step  func(word string) call
}

// doingsOn returns one doing for each kind of thing that Activity shows.
func doingsOn(site string) []doing {
	elsewhere := strings.Replace(site, "127.0.0.1", "%s.localhost", 1)
	guarded := policy.Policy{Preset: policy.Guarded}
	guarded.Sites.Allow = []string{site}
	asking := guarded
	asking.Rights = map[policy.Class]policy.Answer{policy.OtherSite: policy.Ask}
	return []doing{
		{"a page that it opens", nil, func(word string) call {
			return call{"navigate_page", object{"url": site + "/" + word}}
		}},
		{"a refusal", &guarded, func(word string) call {
			return call{"navigate_page", object{"url": fmt.Sprintf(elsewhere, word)}}
		}},
		{"a failure", nil, func(word string) call {
			return call{"navigate_page", object{"url": "http://127.0.0.1:1/" + word}}
		}},
		{"a request for an approval", &asking, func(word string) call {
			return call{"navigate_page", object{"url": fmt.Sprintf(elsewhere, word)}}
		}},
		{"a request for a person", nil, func(word string) call {
			return call{"ask_person", object{"message": word}}
		}},
	}
}

// glancing opens a profile for each agent and connects the agent to it.
func glancing(ctx context.Context, a *app, dir string, doings []doing) (peers []*peer, err error) {
	for k, d := range doings {
		var made api.ProfileData
		name := d.name
		if err := a.Do(ctx, http.MethodPost, "/browser_profiles", api.ProfileInput{Name: &name}, &made); err != nil {
			return peers, err
		}
		id := fmt.Sprint(made.Data.ID)
		if d.rules != nil {
			if err := a.Do(ctx, http.MethodPut, "/browser_profiles/"+id+"/policy", d.rules, nil); err != nil {
				return peers, err
			}
		}
		if _, err := a.Start(ctx, made.Data.ID, api.StartOptions{Automation: true}); err != nil {
			return peers, err
		}
		p, _, err := spawn(ctx, []string{a.cmd.Path, "mcp", id, "--home", a.home}, nil, dir)
		if err != nil {
			return peers, err
		}
		peers = append(peers, p)
		if _, _, err := p.answer(doings[0].step(fmt.Sprint("begins", k))); err != nil {
			return peers, err
		}
	}
	return peers, nil
}

// glance is how long one step took to be shown by the window and to be told by the API.
type glance struct {
	shown, streamed time.Duration
	err             error
}

// atOnce lets all agents act, answers whoever asks, and returns when everything was seen and every call has ended.
func atOnce(
	ctx context.Context, a *app, round int, doings []doing, peers []*peer, shown, told *words,
) []glance {
	out := make([]glance, len(doings))
	var seen, ended sync.WaitGroup
	for k, d := range doings {
		word := fmt.Sprintf("glance%dx%dz", round, k)
		began := time.Now()
		seen.Go(func() {
			one := &out[k]
			if one.shown, one.err = shown.since(ctx, word, began); one.err == nil {
				one.streamed, one.err = told.since(ctx, word, began)
			}
		})
		ended.Go(func() { _, _, _ = peers[k].answer(d.step(word)) })
	}
	seen.Wait()
	var requests api.Requests
	err := a.Do(ctx, http.MethodGet, "/asks", nil, &requests)
	for _, r := range requests.Data {
		err = errors.Join(err, a.Do(ctx, http.MethodPost, "/asks/"+r.ID, api.RequestAnswer{Decline: true}, nil))
	}
	if err != nil && out[0].err == nil {
		out[0].err = err
	}
	ended.Wait()
	return out
}

// words remembers when a word was seen first.
type words struct {
	mu      sync.Mutex
	at      map[string]time.Time
	changed chan struct{}
	failed  error
}

func newWords() *words { return &words{at: map[string]time.Time{}, changed: make(chan struct{})} }

func (w *words) see(word string, at time.Time, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.at[word]; word != "" && !known {
		w.at[word] = at
	}
	if w.failed == nil {
		w.failed = err
	}
	close(w.changed)
	w.changed = make(chan struct{})
}

// since waits for a word and returns how long after began it was seen.
func (w *words) since(ctx context.Context, word string, began time.Time) (time.Duration, error) {
	late := time.After(glanceLimit)
	for {
		w.mu.Lock()
		at, ok := w.at[word]
		changed, err := w.changed, w.failed
		w.mu.Unlock()
		switch {
		case ok:
			return at.Sub(began), nil
		case err != nil:
			return 0, err
		}
		select {
		case <-changed:
		case <-late:
			return 0, errors.New("it was not seen")
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

var glanceWord = regexp.MustCompile(`glance\d+x\d+z`)

// shownWords opens the window's Activity in a browser of its own and sees the words that it shows.
func shownWords(ctx context.Context, a *app) (*words, error) {
	link, err := a.WindowLink(ctx, false)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "node", "glance-speed.mjs", link.URL)
	cmd.Dir = "e2e/node"
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		return nil, fmt.Errorf("the window did not open: %w", cmd.Wait())
	}
	w := newWords()
	go func() {
		for lines.Scan() {
			var one struct {
				Word string
				At   float64 // in milliseconds since 1970
			}
			if json.Unmarshal(lines.Bytes(), &one) == nil {
				w.see(one.Word, time.UnixMicro(int64(one.At*1000)), nil)
			}
		}
		w.see("", time.Time{}, fmt.Errorf("the window has closed: %w", cmd.Wait()))
	}()
	return w, nil
}

// streamedWords reads the streams that the window reads, too.
func streamedWords(ctx context.Context, a *app) (*words, error) {
	w := newWords()
	for _, path := range []string{"/v1.0/events", "/v1.0/activity"} {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.Base+path, nil)
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+a.Token)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, err
		}
		go func() {
			defer func() { _ = res.Body.Close() }()
			lines := bufio.NewScanner(res.Body)
			lines.Buffer(nil, 64<<20)
			for lines.Scan() {
				at := time.Now()
				for _, word := range glanceWord.FindAllString(lines.Text(), -1) {
					w.see(word, at, nil)
				}
			}
			w.see("", time.Time{}, errors.New("a stream has ended"))
		}()
	}
	return w, nil
}
