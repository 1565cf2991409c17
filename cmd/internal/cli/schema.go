package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

func (c *command) schema() *cobra.Command {
	var flink, dialect string
	cmd := &cobra.Command{
		Use:   "schema [flags]",
		Short: "Print a JSON Schema of the configuration, for editors",
		Long: `schema prints a JSON Schema (2020-12) of a Flink version's configuration: types, constants, ranges, defaults, old names. --dialect yaml is config.yaml
(1.19 and newer), with nested and dotted keys; flat is flink-conf.yaml (up to 1.20). Without it the version decides.

Flink ignores keys that it does not know; the schema refuses them where nobody else can own them, such as below taskmanager.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := version.Newest()
			if flink != "" {
				var err error
				if v, err = version.Parse(flink); err != nil {
					return fmt.Errorf("--flink-version: %w", err)
				}
				if _, known := v.Index(); !known {
					return fmt.Errorf("--flink-version: %s is not one of the versions known here, %s to %s", v, version.Oldest(), version.Newest())
				}
			}
			nested := v.AtLeast(1, 19)
			switch dialect {
			case "auto":
			case "yaml":
				if !nested {
					return fmt.Errorf("--dialect: Flink %s reads %s only, which is flat", v.Line(), conf.FlatName)
				}
			case "flat":
				if v.AtLeast(2, 0) {
					return fmt.Errorf("--dialect: Flink %s reads %s only", v.Line(), conf.YAMLName)
				}
				nested = false
			default:
				return fmt.Errorf("--dialect: %q is not one of auto, yaml, flat", dialect)
			}
			data, err := option.JSONSchema(v, nested)
			if err != nil {
				return err
			}
			_, err = c.Stdout.Write(append(data, '\n'))
			return err
		},
	}
	cmd.Flags().StringVar(&flink, "flink-version", "", "the Flink version; else the newest that is known")
	cmd.Flags().StringVar(&dialect, "dialect", "auto", "auto, yaml (config.yaml) or flat (flink-conf.yaml)")
	return cmd
}
