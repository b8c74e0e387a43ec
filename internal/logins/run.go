package logins

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"cove/internal/cdp"
	"cove/internal/chromium"
	"cove/internal/cookie"
	"cove/internal/external"
	"cove/internal/fault"
)

// maxStorage is how many bytes of local storage one import brings.
const maxStorage = 64 << 20

// run reads, waits for the choice, and writes.
func (i *Imports) run(ctx context.Context, r *run) error {
	if _, open := chromium.Holder(r.status.Source.DataDir); !open {
		r.release() // a copy asks nobody
		return i.copy(ctx, r)
	}
	t, err := i.read(ctx, r)
	r.release()
	switch {
	case ctx.Err() != nil:
		return errCancelled("If the browser still asks, press Cancel there.")
	case err != nil:
		return err
	}
	i.step(r, Writing)
	done, err := i.storage.Transfer(context.WithoutCancel(ctx), r.status.Profile, t)
	if err != nil {
		return err
	}
	done.RefusedOrigins = append(done.RefusedOrigins, t.Unread...)
	done.Gone = t.Gone
	i.finish(r, len(t.Sites), done)
	return nil
}

// copy copies the folder of a closed browser, all of it.
func (i *Imports) copy(ctx context.Context, r *run) error {
	found, err := external.CheckCopy(ctx, r.status.Source)
	if err != nil {
		return err
	}
	origins := make([]string, len(found.Origins))
	for n, o := range found.Origins {
		origins[n] = o.Origin
	}
	sites := cookie.Sites(found.Cookies, origins)
	i.change(r, func(s *Status) { s.Step, s.Sites, s.Copy = Choosing, sites, true })
	if _, err := i.await(ctx, r); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errCancelled("Start the import again when you like.")
	}
	i.step(r, Writing)
	done, err := i.storage.Copy(context.WithoutCancel(ctx), r.status.Profile, r.status.Source)
	if err != nil {
		return err
	}
	i.finish(r, len(sites), done)
	return nil
}

// finish says what came. The log has names and counts only.
func (i *Imports) finish(r *run, sites int, done cookie.Transferred) {
	i.log.Info("imported from another browser", "profile", r.status.Profile, "sites", sites,
		"cookies", done.Cookies, "refused", len(done.Refused))
	i.change(r, func(s *Status) { s.Step, s.Result = Done, &done })
}

// await waits for the person's choice.
func (i *Imports) await(ctx context.Context, r *run) (Choice, error) {
	select {
	case choice := <-r.choice:
		return choice, nil
	case <-ctx.Done():
		return Choice{}, errCancelled("Start the import again when you like.")
	case <-time.After(chooseLimit):
		return Choice{}, fault.New(fault.CodeTimeout, "Nobody chose a site, so nothing was imported.",
			"Start the import again.")
	}
}

func errCancelled(hint string) error {
	return fault.New(fault.CodeCancelled, "The import was cancelled, and nothing was imported.", hint)
}

func (i *Imports) step(r *run, step external.Step) { i.change(r, func(s *Status) { s.Step = step }) }

// read returns the data of the chosen sites. The connection is over when it returns.
func (i *Imports) read(ctx context.Context, r *run) (cookie.Transfer, error) {
	source := r.status.Source
	conn, err := external.Dial(ctx, source.DataDir, func(s external.Step) { i.step(r, s) })
	if err != nil {
		return cookie.Transfer{}, err
	}
	i.step(r, Reading)
	reader, err := external.NewReader(ctx, conn, source.Path(), i.log,
		func() { i.step(r, OtherProfile) })
	if err != nil {
		return cookie.Transfer{}, err
	}
	defer reader.Close()
	cookies, opaque, err := reader.Cookies(ctx)
	if err != nil {
		return cookie.Transfer{}, err
	}
	origins := reader.Origins()
	sites := cookie.Sites(cookies, origins)
	i.change(r, func(s *Status) { s.Step, s.Sites, s.Opaque = Choosing, sites, opaque })

	choice, err := i.await(ctx, r)
	if err != nil {
		return cookie.Transfer{}, err
	}
	fresh, err := i.readAgain(ctx, reader)
	switch {
	case ctx.Err() != nil:
		return cookie.Transfer{}, ctx.Err()
	case err == nil:
		cookies = fresh
	case choice.Storage || !errors.Is(err, cdp.ErrClosed): // a browser that has quit still has the same logins
		return cookie.Transfer{}, err
	}
	t := choose(choice, sites, cookies)
	if choice.Storage {
		t.StorageSites = choice.storageSites(sites, t.Gone)
		origins = slices.DeleteFunc(origins, func(o string) bool {
			return !choice.has(sites, cookie.Origin{Origin: o}.Site())
		})
		err = readStorage(ctx, reader, origins, &t)
	}
	return t, err
}

// againLimit bounds the second reading of the cookies.
const againLimit = 15 * time.Second

// readAgain reads the cookies once more, because a site may have renewed them while the person chose.
func (i *Imports) readAgain(ctx context.Context, reader *external.Reader) ([]cookie.Cookie, error) {
	limited, cancel := context.WithTimeout(ctx, againLimit)
	defer cancel()
	cookies, _, err := reader.Cookies(limited)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fault.New(fault.CodeTimeout, "The browser does not answer, so nothing was imported.",
			"Wait until it does, and start the import again.").Because(err)
	}
	return cookies, err
}

// has reports whether a site is one that was listed, and that the person chose.
func (c Choice) has(listed []cookie.Count, site string) bool {
	is := func(n cookie.Count) bool { return n.Site == site }
	return (c.All || slices.Contains(c.Sites, site)) && slices.ContainsFunc(listed, is)
}

// storageSites returns the chosen sites that still have data.
func (c Choice) storageSites(listed []cookie.Count, gone []string) (list []string) {
	for _, n := range listed {
		if c.has(listed, n.Site) && !slices.Contains(gone, n.Site) {
			list = append(list, n.Site)
		}
	}
	return list
}

// choose returns the cookies of the chosen sites, which replace those that the profile has of these sites. A site that
// has no cookies left replaces nothing.
func choose(choice Choice, listed []cookie.Count, cookies []cookie.Cookie) cookie.Transfer {
	t := cookie.Transfer{}
	left := map[string]bool{}
	for _, c := range cookies {
		if choice.has(listed, c.Site()) {
			t.Cookies = append(t.Cookies, c)
			left[c.Site()] = true
		}
	}
	for _, n := range listed {
		switch {
		case left[n.Site]:
			t.Sites = append(t.Sites, n.Site)
		case n.Cookies > 0 && choice.has(listed, n.Site):
			t.Gone = append(t.Gone, n.Site)
		}
	}
	return t
}

// readStorage adds local storage to t: that of the origins on the disk, and of those that set the cookies, because what
// was stored a moment ago is not on the disk yet.
func readStorage(ctx context.Context, reader *external.Reader, onDisk []string, t *cookie.Transfer) (err error) {
	all := slices.Clone(onDisk)
	for _, c := range t.Cookies {
		all = append(all, c.Origins()...)
	}
	slices.Sort(all)
	var unread []string
	if t.Origins, unread, err = reader.Storage(ctx, slices.Compact(all)); err != nil {
		return err
	}
	for _, o := range unread { // of the others it is not known that they have any
		if slices.Contains(onDisk, o) {
			t.Unread = append(t.Unread, o)
		}
	}
	size := 0
	for _, o := range t.Origins {
		for _, e := range o.Items {
			size += len(e.Name) + len(e.Value)
		}
	}
	if size > maxStorage {
		return fault.New(fault.CodeTooLarge,
			fmt.Sprintf("The chosen sites have %d MB of local storage, and an import brings at most %d MB.", size>>20,
				maxStorage>>20), "Choose fewer sites at a time, or leave their local storage.")
	}
	return nil
}
