"""How notebooks become pages: executed, pictures inside, nothing fetched from anywhere."""

from pathlib import Path

c = get_config()  # type: ignore[name-defined]  # noqa: F821  (nbconvert's own way)

c.NbConvertApp.export_format = "html"
c.ExecutePreprocessor.timeout = 3600
c.ExecutePreprocessor.kernel_name = "python3"
c.TemplateExporter.extra_template_basedirs = [str(Path(__file__).parent / "templates")]
c.HTMLExporter.template_name = "page"
c.HTMLExporter.embed_images = True
c.HTMLExporter.exclude_input_prompt = True
c.HTMLExporter.exclude_output_prompt = True
