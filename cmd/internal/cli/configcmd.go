package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor/settings"
)

func (c *command) config() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Settings of a project, and the configuration that Flink will see: show, verify, init, schema, effective",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.configShow(), c.configVerify(), c.configInit(), c.configSchema(), c.configEffective())
	return cmd
}

func (c *command) configShow() *cobra.Command {
	var f settingsFlags
	cmd := &cobra.Command{
		Use:   "show [FILE]",
		Short: "Print the settings that count for a file, and where they are from",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := c.settings(f, ".")
			if err != nil {
				return err
			}
			file := "."
			if len(args) == 1 {
				file = args[0]
			}
			_, err = fmt.Fprint(c.Stdout, s.Describe(c.relativeTo(s, file)))
			return err
		},
	}
	f.register(cmd)
	return cmd
}

func (c *command) configVerify() *cobra.Command {
	var f settingsFlags
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check the settings file",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			s, err := c.settings(f, ".")
			if err != nil {
				return err
			}
			if s.File == nil {
				return fmt.Errorf("there is no %s here or above", settings.FileName)
			}
			_, err = fmt.Fprintf(c.Stdout, "ok: %s\n", s.File.Path)
			return err
		},
	}
	f.register(cmd)
	return cmd
}

func (c *command) configInit() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a commented " + settings.FileName,
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := c.Files.Stat(settings.FileName)
			switch {
			case err == nil:
				return fmt.Errorf("%s is there already", settings.FileName)
			case !errors.Is(err, fs.ErrNotExist):
				return err
			}
			if err := c.Files.WriteFile(settings.FileName, []byte(settings.Template)); err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.Stdout, "wrote %s\n", settings.FileName)
			return err
		},
	}
}

func (c *command) configSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the settings file",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := c.Stdout.Write(settings.Schema())
			return err
		},
	}
}
