"""The exercises of each page, in the module of the page's name; read one of them."""
