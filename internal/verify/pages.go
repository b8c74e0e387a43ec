package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"cove/internal/wording"
)

// pages compares what list_pages shows with the tabs that the gate lists, which reads the same browser another way.
func (p *Procedure) pages(ctx context.Context) (string, error) {
	seen := map[string][]string{} // the addresses that each tab has had
	for end := time.Now().Add(p.limits.pages); ; {
		before, err := p.tabs(ctx)
		if err != nil {
			return "", err
		}
		text, err := p.listPages(ctx)
		if err != nil {
			return "", err
		}
		after, err := p.tabs(ctx)
		if err != nil {
			return "", err
		}
		for _, t := range slices.Concat(before, after) {
			if !slices.Contains(seen[t.ID], t.URL) {
				seen[t.ID] = append(seen[t.ID], t.URL)
			}
		}

		lost := missing(text, after, seen)
		switch {
		case lost == "" && len(after) == 1:
			return "1 tab", nil
		case lost == "":
			return fmt.Sprintf("%d tabs", len(after)), nil
		case time.Now().After(end):
			return "", fmt.Errorf("the profile has a tab with %s, and list_pages does not show it", lost)
		}

		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(250 * time.Millisecond):
		}
	}
}

// errorPage begins the address of the page that the browser shows when it could not load one. The gate lists the
// address that was to be loaded.
const errorPage = "chrome-error://"

// pageLine matches the line of a page in the text of list_pages.
var pageLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\d+: `) })

// missing returns the address of a tab that the text does not show, or an empty one if it shows them all.
func missing(text string, tabs []tab, seen map[string][]string) string {
	errorPages := strings.Count(text, errorPage)
	enough := len(pageLine().FindAllString(text, -1)) >= len(tabs)
	for _, t := range tabs {
		shown := slices.ContainsFunc(seen[t.ID], func(address string) bool { return shows(text, address) })
		moving := len(seen[t.ID]) > 1 // its address changed while this test read it
		switch {
		case shown || moving && enough:
		case errorPages > 0:
			errorPages--
		default:
			return t.URL
		}
	}

	return ""
}

// shows reports whether the text has an address. Tools shorten long addresses and leave secrets out.
func shows(text, address string) bool {
	if strings.Contains(text, address) {
		return true
	}

	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return len(address) > 100 && strings.Contains(text, address[:100])
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	short := u.String()

	return (u.Path != "" && u.Path != "/" || short != address) && strings.Contains(text, short[:min(len(short), 100)])
}

func (p *Procedure) listPages(ctx context.Context) (string, error) {
	var r struct {
		IsError bool `json:"isError"`
		Content []struct{ Text string }
	}
	params := map[string]any{"name": "list_pages", "arguments": map[string]any{}}
	if err := p.server.Call(ctx, "tools/call", params, &r); err != nil {
		return "", err
	}

	var text strings.Builder
	for _, c := range r.Content {
		text.WriteString(c.Text + "\n")
	}
	if r.IsError {
		return "", errors.New("list_pages failed: " + wording.Shorten(strings.TrimSpace(text.String()), 200))
	}

	return text.String(), nil
}

type tab struct{ ID, Type, URL string }

// tabs returns the tabs that the gate lists.
func (p *Procedure) tabs(ctx context.Context) ([]tab, error) {
	address := fmt.Sprintf("http://127.0.0.1:%d/json/list", p.port)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if p.App.Token != "" {
		req.Header.Set("Authorization", "Bearer "+p.App.Token)
	}

	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	var all []tab
	if err := json.NewDecoder(res.Body).Decode(&all); err != nil {
		return nil, fmt.Errorf("read the profile's tabs: %w", err)
	}

	all = slices.DeleteFunc(all, func(t tab) bool { return t.Type != "page" || strings.HasPrefix(t.URL, "devtools:") })
	if len(all) == 0 {
		return nil, errors.New("the profile has no tab")
	}

	return all, nil
}
