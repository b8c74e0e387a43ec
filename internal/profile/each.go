package profile

import "context"

// Lister lists profiles.
type Lister interface {
	List(ctx context.Context, q Query) (Page, error)
}

// Each calls use with every profile that a query selects, whatever page it asks for. It ends with the first error.
func Each(ctx context.Context, from Lister, q Query, use func(Profile) error) error {
	q.PerPage = MaxPerPage
	for q.Page = 1; ; q.Page++ {
		found, err := from.List(ctx, q)
		if err != nil {
			return err
		}
		for _, p := range found.Profiles {
			if err := use(p); err != nil {
				return err
			}
		}
		if len(found.Profiles) < q.PerPage {
			return nil
		}
	}
}
