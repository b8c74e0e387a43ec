package imports

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/fault"
	"cove/internal/wording"
)

// waiting returns the profiles that get cookies.
func (r *report) waiting() (all []*item) {
	for i := range r.items {
		if it := &r.items[i]; it.Cookies.Count > 0 && it.state != there {
			all = append(all, it)
		}
	}
	return all
}

// importCookies gives the new profiles their cookies, and those of an earlier run. One that fails keeps its tag, and
// the others go on; the same command continues later. Without the app, or after Ctrl-C, it stops at once.
func (r *report) importCookies(ctx context.Context, env *command.Env, c app) error {
	waiting := r.waiting()
	var firstErr error
	for i, it := range waiting {
		fmt.Fprintf(env.Err, "Importing cookies %d of %d: %s\n", i+1, len(waiting), it.Name)
		done, err := c.importCookies(ctx, it.id, it.Cookies.Text)
		imported := err == nil
		if imported {
			r.CookieProfiles++
			r.Cookies += done.Imported
			err = untag(ctx, c, it)
		}
		if err != nil {
			r.Failed = append(r.Failed, failedItem{ID: it.id, Name: it.Name, Error: reason(err), Imported: imported})
			if firstErr == nil {
				firstErr = err
			}
		}
		if ctx.Err() != nil || errors.Is(err, api.ErrNoApp) {
			for _, rest := range waiting[i+1:] {
				r.Failed = append(r.Failed, failedItem{ID: rest.id, Name: rest.Name, Error: "The import was stopped."})
			}
			if firstErr == nil {
				firstErr = ctx.Err()
			}
			break
		}
	}
	return r.cookieFault(firstErr)
}

// untagTime is how long an import that was stopped still has to remove a tag.
const untagTime = 10 * time.Second

// untag removes the tag that says that cookies are missing. Ctrl-C does not keep it from that: the cookies are there.
func untag(ctx context.Context, c app, it *item) error {
	if !it.tagged {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), untagTime)
	defer cancel()
	p, err := c.profiles.Get(ctx, it.id)
	if err != nil {
		return err
	}
	tags := api.Strings(slices.DeleteFunc(slices.Clone(p.Tags), func(tag string) bool { return tag == MissingTag }))
	_, err = c.profiles.Edit(ctx, it.id, api.ProfileInput{Tags: &tags})
	return err
}

func reason(err error) string {
	var f *fault.Error
	switch {
	case errors.As(err, &f):
		return f.Text
	case errors.Is(err, context.Canceled):
		return "The import was stopped."
	case errors.Is(err, api.ErrNoApp):
		return "Cove does not answer."
	}
	return err.Error()
}

// cookieFault words what is missing, and how to go on.
func (r *report) cookieFault(err error) error {
	if len(r.Failed) == 0 {
		return nil
	}
	code := fault.CodeAppGone
	var f *fault.Error
	if errors.As(err, &f) {
		code = f.Code
	} else if errors.Is(err, context.Canceled) {
		code = fault.CodeCancelled
	}
	missing := slices.DeleteFunc(slices.Clone(r.Failed), func(f failedItem) bool { return f.Imported })
	if len(missing) == 0 {
		return fault.New(code, fmt.Sprintf("The cookies were imported, but the tag %s is still on %s (%s).",
			MissingTag, wording.Count(len(r.Failed), "profile"), strings.TrimSuffix(r.Failed[0].Error, ".")),
			"Remove the tag, or run the same command again.")
	}
	text := fmt.Sprintf("The cookies of %s were not imported (%s).", wording.Count(len(missing), "profile"),
		strings.TrimSuffix(missing[0].Error, "."))
	for _, it := range r.waiting() {
		if it.tagged {
			text += " Profiles without their cookies have the tag " + MissingTag + "."
			break
		}
	}
	return fault.New(code, text, "Run the same command again: it continues with their cookies.")
}
