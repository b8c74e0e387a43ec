package imports

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/importer"
	"cove/internal/profile"
)

// app is what an import needs of the running app.
type app struct {
	profiles interface {
		List(ctx context.Context, query url.Values) (api.ProfileList, error)
		Get(ctx context.Context, id profile.ID) (api.Profile, error)
		Edit(ctx context.Context, id profile.ID, in api.ProfileInput) (api.Profile, error)
		Import(ctx context.Context, in api.ImportInput) (api.Imported, error)
	}
	importCookies func(ctx context.Context, id profile.ID, file string) (api.CookiesImported, error)
}

func appOf(client *api.Client) app {
	return app{profiles: client.Profiles(),
		importCookies: func(ctx context.Context, id profile.ID, file string) (api.CookiesImported, error) {
			return client.Cookies(id).Import(ctx, file)
		}}
}

// run shows what an import does, asks, and does it.
func run(ctx context.Context, env *command.Env, c app, plan importer.Plan, o options) error {
	if o.folder != "" {
		for i := range plan.Profiles {
			plan.Profiles[i].Folder = o.folder
		}
	}
	have, err := allProfiles(ctx, c)
	if err != nil {
		return err
	}
	r := report{DryRun: o.dry, Omitted: plan.Left, Warnings: plan.Warnings, items: match(plan, have, o.updateCookies)}
	r.warnOfCookies()
	in := request(r.items, plan.Proxies)
	if r.Created, err = try(ctx, c, in); err != nil {
		return err
	}

	if o.dry {
		return env.Print(r.shown(), r.writePlan)
	}
	if !env.JSON {
		r.writePlan(env.Out)
	}
	if r.nothingToDo() {
		return env.Print(r.shown(), func(w io.Writer) {
			what := "everything is"
			if slices.ContainsFunc(r.items, item.skipsCookies) {
				what = "the profiles are"
			}
			fmt.Fprintf(w, "Nothing to import: %s already there.\n", what)
		})
	}
	if err := env.RequireConfirm(o.yes, r.question(), "Nothing was imported."); err != nil {
		return err
	}
	return carryOut(ctx, env, c, &r, in)
}

// try asks the app what it would create.
func try(ctx context.Context, c app, in api.ImportInput) (api.Imported, error) {
	if len(in.Profiles)+len(in.Proxies) == 0 {
		return api.Imported{Success: true, IDs: []profile.ID{}}, nil
	}
	in.DryRun = true
	return c.profiles.Import(ctx, in)
}

// carryOut creates everything at once, and imports the cookies then, one profile after the other.
func carryOut(ctx context.Context, env *command.Env, c app, r *report, in api.ImportInput) error {
	if len(in.Profiles)+len(in.Proxies) > 0 {
		made, err := c.profiles.Import(ctx, in)
		if err != nil {
			return err
		}
		r.Created = made
		next := 0
		for i := range r.items {
			if r.items[i].state == create {
				r.items[i].id = made.IDs[next]
				next++
			}
		}
	}

	err := r.importCookies(ctx, env, c)
	if printed := env.Print(r.shown(), r.writeDone); printed != nil {
		return printed
	}
	return err
}
