// Package check finds out whether a proxy works and, through an address that the person has set, where it leads out.
package check

import (
	"context"
	"crypto/tls"
	"errors"
	"sync"
	"time"

	"cove/internal/proxy"
	"cove/internal/proxy/dial"
)

// Limit bounds one check.
const Limit = 10 * time.Second

// atOnce bounds how many proxies are checked at a time.
const atOnce = 8

// Checker checks proxies. Its methods may be called from any goroutine.
type Checker struct {
	// URL is the page that says from which address it was asked. If it is empty, nobody but the proxy is called.
	URL string
	// TLS is the configuration for https proxies and for the page; nil means the default.
	TLS *tls.Config
	// Now is the clock; nil means the real one.
	Now func() time.Time
}

// Hint says what a check of p has left open, and what to do about it. It is empty if nothing is open.
func (c Checker) Hint(p proxy.Proxy) string {
	if c.URL != "" {
		return ""
	}
	hint := "Set proxy.check to the URL of a page that returns your IP address to see the exit address and country."
	switch {
	case p.Type == "socks5":
		return hint
	case p.Type != "socks4" && (p.Login != "" || p.Password != ""):
		return "The login was not checked. " + hint
	}
	return "Only the connection to the proxy was checked. " + hint
}

// Check checks one proxy. A proxy that does not work is a result, not an error.
func (c Checker) Check(ctx context.Context, p proxy.Proxy) proxy.Check {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	now := c.Now
	if now == nil {
		now = time.Now
	}

	began := now()
	var found proxy.Check
	var err error
	if c.URL == "" {
		err = dial.Dialer{TLS: c.TLS}.Greet(ctx, p)
	} else {
		found, err = c.fetch(ctx, p)
	}
	at := began.UTC().Truncate(time.Millisecond)
	if err != nil {
		return proxy.Check{At: at, Error: sentence(err, p)}
	}
	found.At, found.OK = at, true
	found.Latency = max(1, int(now().Sub(began).Milliseconds()))

	return found
}

// sentence says to a person why a check failed.
func sentence(err error, p proxy.Proxy) string {
	var failed *dial.Error
	var page *pageError
	switch {
	case errors.As(err, &failed):
		return failed.Sentence(p)
	case errors.As(err, &page):
		return page.text
	case errors.Is(err, context.DeadlineExceeded):
		return "The check page did not answer in time."
	}
	return "The connection through the proxy ended before the check page answered."
}

// All checks many proxies, a few at a time, and calls done with each result, never twice at once. It returns when all
// are checked, or when ctx ends: then proxies without a result are not reported.
func (c Checker) All(ctx context.Context, all []proxy.Record, done func(proxy.Record, proxy.Check)) {
	queue := make(chan proxy.Record)
	var mu sync.Mutex
	var workers sync.WaitGroup
	for range min(atOnce, len(all)) {
		workers.Go(func() {
			for r := range queue {
				result := c.Check(ctx, r.Proxy)
				mu.Lock()
				if ctx.Err() == nil {
					done(r, result)
				}
				mu.Unlock()
			}
		})
	}

	for _, r := range all {
		select {
		case queue <- r:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(queue)
	workers.Wait()
}
